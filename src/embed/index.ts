/**
 * The embed room: the embedder port with its implementations, and the port to language models. It owns the built-in
 * static model, the HTTP and local providers and quantisation, and knows no files, chunks, store or ranking.
 * Invariants: a vector has unit length or is zero; vectors of different embedder ids are never compared; no text leaves
 * the machine unless a provider is configured; keys never appear in a log or an error.
 */
export { createEmbedder, type EmbedderConfig } from './create-embedder.ts';
export type { Embedder, WordModel } from './embedder.ts';
export { createLanguageModel, type LanguageModel, LLM_PROVIDERS, type LlmProvider } from './llm.ts';
export { loadStaticModel } from './static/load-static-model.ts';
export { quantise } from './static/quantise.ts';
