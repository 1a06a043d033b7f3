/** Lists of choices that several records share. */
import type { SearchMode } from '../../model/records/query.ts';

export const SEARCH_MODES = ['hybrid', 'keyword', 'vector'] as const satisfies readonly SearchMode[];
export const FORMATS = ['human', 'json', 'toon'] as const;
export type Format = (typeof FORMATS)[number];
/** The embed room's provider names; types in the composition root keep the two lists equal. */
export const EMBEDDING_PROVIDERS = ['static', 'openai', 'ollama', 'cortex', 'onnx'] as const;
/** The embed room's provider names; `none` uses the built-in expansion and summaries. */
export const LLM_PROVIDERS = ['none', 'openai', 'anthropic', 'ollama'] as const;
