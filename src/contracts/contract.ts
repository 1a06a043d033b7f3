/**
 * The contracts' port. A profile is one contract that agents may speak with the engine: its server name, its
 * instructions, its tools in their order, and its form of errors. A profile knows the engine's face and the model; it
 * knows no transport, no other profile, no environment and no JSON-RPC framing. Everything that calls a tool goes
 * through dispatch.ts.
 *
 * Invariants: clients see a tool's input schema, or a shorter form that admits no less; a handler gets arguments that
 * the schema has passed, with defaults filled in; what a handler returns as `structured` conforms to the tool's output
 * schema (real clients check it).
 */
import type { Engine } from '../engine/engine.ts';
import type { EngineError } from '../model/records/engine-errors.ts';
import type { LengthOf, ObjectSchema, SchemaIssue, ValueOf } from './kit/json-schema.ts';
import type { ContentBlock, Icon, ResourceContent } from './kit/text-content.ts';

export const PROFILE_NAMES = ['sextant', 'gocontext', 'context-tool', 'codecompass', 'swiftindex', 'cortex'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';
/**
 * Where a profile or transport may say something: the process's own log (stderr), never the protocol. From `notice` on
 * it is said without --verbose.
 */
export type Log = (
  level: 'debug' | 'info' | 'notice' | 'warn' | 'error',
  message: string,
  fields?: Record<string, unknown>,
) => void;

/** A question to the client in the middle of a call. */
export type ClientQuestion =
  | {
      readonly kind: 'sampling';
      readonly prompt: string;
      readonly system?: string;
      readonly maxTokens: number;
    }
  | { readonly kind: 'elicitation'; readonly message: string; readonly schema: Readonly<Record<string, unknown>> }
  | { readonly kind: 'roots' };
export type QuestionKind = ClientQuestion['kind'];

/** What the client answered, as it came: not to be trusted. */
export type ClientAnswer =
  | { readonly kind: 'sampling'; readonly text: string }
  | {
      readonly kind: 'elicitation';
      readonly action: 'accept' | 'decline' | 'cancel';
      readonly content: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'roots'; readonly roots: readonly { readonly uri: string; readonly name?: string }[] };

export interface CallContext {
  readonly engine: Engine;
  /** The folder meant by a call that names none: `--workspace`, else the client's first root, else null. */
  workspace(): Promise<string | null>;
  /** Aborted by notifications/cancelled, by tasks/cancel, by the client's leaving and by shutdown. */
  readonly signal: AbortSignal;
  /** Session of the client: stable while it stays connected. */
  readonly session: string;
  /** Told to the client when it asked for progress. Cheap: it thins out what is said too often. */
  progress(done: number, total?: number, message?: string): void;
  /** A message to the client (notifications/message), subject to the level it has set. */
  notify(level: LogLevel, data: unknown): void;
  /** True when the client can answer such a question. */
  canAsk(kind: QuestionKind): boolean;
  /**
   * The client's answer, null where it cannot be asked, declines or does not answer. In protocol versions without
   * requests to the client the call is run again from its start with the answer at hand: ask before doing work, and
   * name each question of a call by a `key` of its own.
   */
  ask(key: string, question: ClientQuestion): Promise<ClientAnswer | null>;
  /** Over HTTP, lets go of the response stream while work goes on; the client comes back for the result. */
  releaseStream?(): void;
  readonly log: Log;
}

export interface ToolResult {
  /** The payload: becomes `structuredContent`. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** Replaces the JSON text of `structured` (formats toon and human, error sentences). */
  readonly text?: string;
  /** The text for clients that get `structuredContent`: the same answer in short, instead of a second copy. */
  readonly shortText?: string;
  /** Blocks after the text: links to files, audio, images. */
  readonly content?: readonly ContentBlock[];
  readonly isError?: boolean;
  /** Leave the first text block out: `content` says it all. */
  readonly contentOnly?: boolean;
  /** Leave `structuredContent` out, for contracts whose errors are text only. */
  readonly textOnly?: boolean;
}

/** A refusal in JSON-RPC's own form, for contracts that want one. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export type TaskSupport = 'forbidden' | 'optional' | 'required';

/** A tool as the registry keeps it: arguments no longer typed. Made with `defineTool`. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What calls are checked against. */
  readonly input: ObjectSchema;
  /** What clients see in `tools/list`: the input schema, or a shorter form of it. */
  readonly listed: ObjectSchema;
  readonly output: ObjectSchema;
  readonly annotations: ToolAnnotations;
  readonly icons: readonly Icon[];
  /** Said to clients beside the tool (`_meta`), by the names that they document. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Resource that shows its answers, told to clients that show such pages (`_meta.ui.resourceUri`). */
  readonly view?: string;
  /** Whether a call may, or must, run as a task (long work). */
  readonly taskSupport: TaskSupport;
  handle(args: Readonly<Record<string, unknown>>, ctx: CallContext): Promise<ToolResult>;
}

export interface ToolDefinition<S extends ObjectSchema> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: S;
  readonly listed?: ObjectSchema;
  readonly output: ObjectSchema;
  readonly annotations: ToolAnnotations;
  readonly icons: readonly Icon[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly view?: string;
  readonly taskSupport?: TaskSupport;
  handle(args: ValueOf<S>, ctx: CallContext): Promise<ToolResult>;
}

/**
 * Keeps the schema's literal type, so that `handle` sees typed arguments. The dispatcher has checked them when it runs.
 */
export function defineTool<const S extends ObjectSchema>(definition: ToolDefinition<S>): Tool {
  return {
    ...definition,
    listed: definition.listed ?? definition.input,
    taskSupport: definition.taskSupport ?? 'forbidden',
    handle: (args, ctx) => definition.handle(args as ValueOf<S>, ctx),
  };
}

/** A call that failed, as a profile sees it when it words the failure. */
export interface FailedCall {
  readonly tool: Tool;
  /** As the client sent them. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly ctx: CallContext;
}

/** How a contract words failures. Each may return an error result or throw an RpcError. */
export interface ErrorForm {
  /** Arguments that the input schema refuses. */
  invalidArguments(issues: readonly SchemaIssue[], call: FailedCall): ToolResult | Promise<ToolResult>;
  engineError(error: EngineError, call: FailedCall): ToolResult | Promise<ToolResult>;
  /** Default: JSON-RPC -32602. */
  unknownTool?(name: string, call: Omit<FailedCall, 'tool'>): ToolResult;
}

export interface ResourceRecord {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly icons?: readonly Icon[];
}
export interface ResourceTemplateRecord {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}
export interface Resources {
  list(ctx: CallContext): Promise<readonly ResourceRecord[]>;
  readonly templates: readonly ResourceTemplateRecord[];
  /** Null where no resource has this address. */
  read(uri: string, ctx: CallContext): Promise<readonly ResourceContent[] | null>;
  /** Calls `changed` whenever the resource has changed, until the returned function is called. */
  subscribe?(uri: string, changed: () => void): () => void;
}

export interface PromptRecord {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
  get(args: Readonly<Record<string, string>>, ctx: CallContext): Promise<readonly PromptMessage[]>;
}
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

export interface CompletionRequest {
  /** Name of the prompt or address template that the argument belongs to. */
  readonly ref: { readonly kind: 'prompt' | 'resource'; readonly name: string };
  readonly argument: string;
  /** What has been typed so far. */
  readonly value: string;
  readonly context: Readonly<Record<string, string>>;
}

export interface Profile {
  readonly name: string;
  readonly serverInfo: {
    readonly name: string;
    readonly title: string;
    readonly version: string;
    readonly description?: string;
    readonly icons?: readonly Icon[];
  };
  /** Teaches an agent when to use which tool; under 2 KB. */
  readonly instructions: string;
  readonly tools: ToolRegistry;
  readonly errors: ErrorForm;
  /** How the lengths of texts are counted where the contract says otherwise than JSON Schema. */
  readonly lengthOf?: LengthOf;
  readonly resources?: Resources;
  readonly prompts?: readonly PromptRecord[];
  complete?(request: CompletionRequest, ctx: CallContext): Promise<readonly string[]>;
  /** Asked before every call with valid arguments; throws EngineError to refuse (rate limits). */
  admit?(tool: Tool, ctx: CallContext): void;
  /**
   * Run once before serving: fails fast with words when the profile cannot work (a missing folder, an unreachable
   * endpoint).
   */
  start?(): Promise<void>;
  /**
   * False where it answers from elsewhere: then no index is made or followed for it. Asked after start(), when the
   * first tool is called.
   */
  usesIndex?(): Promise<boolean>;
  /** Stops what start() or the tools have set going. */
  stop?(): Promise<void>;
}

/** What a profile may need to be built. Values of the environment arrive here as data. */
export interface ProfileOptions {
  readonly workspace: string | null;
  readonly version: string;
  readonly log: Log;
  /** Extra fields for people who look for faults (`debug.join_status`). */
  readonly debug?: boolean;
  /**
   * Settings of single profiles: rate limits, chunk folder, embedding endpoint …; each profile documents its own keys.
   */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly engine: () => Promise<Engine>;
}
export type CreateProfile = (options: ProfileOptions) => Profile;

/** Tools in the order of their first registration; registering a name again replaces the tool and keeps its place. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();
  readonly #listeners = new Set<() => void>();

  constructor(tools: readonly Tool[] = []) {
    for (const tool of tools) this.#tools.set(tool.name, tool);
  }

  register(tool: Tool): void {
    this.#tools.set(tool.name, tool);
    for (const listener of this.#listeners) listener();
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  list(): readonly Tool[] {
    return [...this.#tools.values()];
  }

  /** Told after each later registration; returns how to stop it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
