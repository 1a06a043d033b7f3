/**
 * The room of vectors: the embedder port and its implementations, and the port to language models. Owns: the built-in
 * static model, the HTTP and local providers, quantisation. Must not know: files, chunks, the store, ranking.
 * Invariants: a vector has unit length or is zero; vectors of two embedder ids are never compared; nothing leaves the
 * machine unless a provider is configured; keys never reach a log or an error.
 */
export { createEmbedder, type EmbedderConfig } from './create-embedder.ts';
export type { Embedder, WordModel } from './embedder.ts';
export { createLanguageModel, type LanguageModel, LLM_PROVIDERS, type LlmProvider } from './llm.ts';
export { loadStaticModel } from './static/load-static-model.ts';
export { quantise } from './static/quantise.ts';
