/**
 * The language-model port, for query expansion and synthesis. Not used unless configured; each provider is a record
 * that describes its requests and responses.
 */
import type { AssistPrompt } from '../model/records/assist-prompts.ts';
import { EngineError } from '../model/records/engine-errors.ts';
import { addressOf, joinUrl } from './providers/http-config.ts';
import { type Endpoint, failure, postJson } from './providers/post-json.ts';

export interface LanguageModel {
  /** Provider and model, as answers name them. */
  readonly id: string;
  complete(request: AssistPrompt, signal?: AbortSignal): Promise<string>;
}

export const LLM_PROVIDERS = ['openai', 'anthropic', 'ollama'] as const;
export type LlmProvider = (typeof LLM_PROVIDERS)[number];

export interface LanguageModelConfig {
  readonly provider: LlmProvider;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
  readonly backoffMs?: number;
}

interface Wire {
  readonly baseUrl: string;
  /** The default model; null if the user must name one. */
  readonly model: string | null;
  readonly path: string;
  headers(apiKey: string | undefined): Readonly<Record<string, string>>;
  body(request: AssistPrompt, model: string): unknown;
  /** The text of a response; undefined for a response of another shape. */
  text(answer: unknown): unknown;
}

const messagesOf = ({ system, prompt }: AssistPrompt) => [
  { role: 'system', content: system },
  { role: 'user', content: prompt },
];
/**
 * OpenAI's reasoning models, which refuse a temperature and `max_tokens`; compatible servers accept only these two.
 */
const REASONING_MODEL = /^(?:o\d|gpt-[5-9])/;
/** Additional output tokens, because reasoning counts towards the limit. */
const REASONING_TOKENS = 2_000;
/** Reasoning before the answer, which some servers do not separate from it. */
const THOUGHTS = /^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/;

const bearer = (key: string | undefined): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {});

const WIRES: Readonly<Record<LlmProvider, Wire>> = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    model: null,
    path: 'chat/completions',
    headers: bearer,
    body: (request, model) => ({
      model,
      messages: messagesOf(request),
      ...(REASONING_MODEL.test(model)
        ? { max_completion_tokens: request.maxTokens + REASONING_TOKENS }
        : { max_tokens: request.maxTokens, temperature: 0 }),
    }),
    text: (answer) => (answer as { choices?: { message?: { content?: unknown } }[] }).choices?.[0]?.message?.content,
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    model: null,
    path: 'messages',
    headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key ? { 'x-api-key': key } : {}) }),
    body: ({ system, prompt, maxTokens }, model) => ({
      model,
      system,
      messages: [{ role: 'user', content: prompt }],
      // No temperature, because Anthropic's newer models refuse it.
      max_tokens: maxTokens,
    }),
    text: (answer) =>
      (answer as { content?: { type?: string; text?: string }[] }).content
        ?.filter((part) => part.type === 'text')
        .map((part) => part.text ?? '')
        .join(''),
  },
  ollama: {
    baseUrl: 'http://127.0.0.1:11434',
    model: null,
    path: 'api/chat',
    headers: bearer,
    body: (request, model) => ({
      model,
      messages: messagesOf(request),
      stream: false,
      options: { temperature: 0, num_predict: request.maxTokens },
    }),
    text: (answer) => (answer as { message?: { content?: unknown } }).message?.content,
  },
};

export function createLanguageModel(config: LanguageModelConfig): LanguageModel {
  const wire = WIRES[config.provider];
  const kind = 'language model';
  const refuse = (reason: string) =>
    new EngineError('provider_misconfigured', { kind, provider: String(config.provider), reason });
  if (!wire) throw refuse(`there is no such provider; choose one of ${LLM_PROVIDERS.join(', ')}`);
  const model = config.model ?? wire.model;
  if (!model) throw refuse('name a model');
  const url = joinUrl(config.baseUrl ?? wire.baseUrl, wire.path);
  const endpoint: Endpoint = {
    ...addressOf(kind, config.provider, url),
    headers: wire.headers(config.apiKey),
    secrets: config.apiKey ? [config.apiKey] : [],
    isInteractive: true,
    // Many clients end a tool call after a minute; the built-in answer must still fit into that time.
    timeoutMs: config.timeoutMs ?? 45_000,
    maxAttempts: config.maxAttempts ?? 3,
    backoffMs: config.backoffMs ?? 500,
  };
  return {
    id: `${config.provider}/${model}`,
    async complete(request, signal) {
      const answer = await postJson(endpoint, wire.body(request, model), signal);
      const text = answer && typeof answer === 'object' ? wire.text(answer) : undefined;
      if (typeof text !== 'string')
        throw failure('provider_misconfigured', endpoint, 'the answer holds no text; is the address right?');
      return text.replace(THOUGHTS, '').trim();
    },
  };
}
