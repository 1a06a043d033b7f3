/** Closed lists that several records share. */
import type { SearchMode } from '../../model/records/query.ts';

export const SEARCH_MODES = ['hybrid', 'keyword', 'vector'] as const satisfies readonly SearchMode[];
export const FORMATS = ['human', 'json', 'toon'] as const;
export type Format = (typeof FORMATS)[number];
/** The embed room's names; the composition root's types keep the two lists in step. */
export const EMBEDDING_PROVIDERS = ['static', 'openai', 'ollama', 'cortex', 'onnx'] as const;
/** The embed room's names; `none` leaves expansion and summaries to the built-in rules. */
export const LLM_PROVIDERS = ['none', 'openai', 'anthropic', 'ollama'] as const;
