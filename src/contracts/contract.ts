/**
 * The contracts' port. A profile is one contract that agents may use: its server name, instructions, ordered tools, and
 * form of errors. A profile knows the engine's interface and the model; it knows no transport, no other profile, no
 * environment and no JSON-RPC framing. Every call to a tool goes through dispatch.ts. Invariants: clients see a tool's
 * input schema, or a shorter form that accepts no less; a handler gets arguments that passed the schema, with defaults
 * filled in; the `structured` result of a handler conforms to the tool's output schema (real clients check it).
 */
import type { Engine } from '../engine/engine.ts';
import type { EngineError } from '../model/records/engine-errors.ts';
import type { LengthOf, ObjectSchema, SchemaIssue, ValueOf } from './kit/json-schema.ts';
import type { ContentBlock, Icon, ResourceContent } from './kit/text-content.ts';

export const PROFILE_NAMES = ['sextant', 'gocontext', 'context-tool', 'codecompass', 'swiftindex', 'cortex'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';
/** Log of the process (stderr), never part of the protocol. Levels from `notice` on are written without --verbose. */
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

/** The client's answer, unchecked. */
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
  /** The folder of a call that has no `path`: `--workspace`, else the client's first root, else null. */
  workspace(): Promise<string | null>;
  /** Aborted by notifications/cancelled, by tasks/cancel, when the client disconnects, and at shutdown. */
  readonly signal: AbortSignal;
  /** The client's session id; it does not change while the client stays connected. */
  readonly session: string;
  /** Sends progress to a client that requested it. Cheap to call often: it drops updates that follow too closely. */
  progress(done: number, total?: number, message?: string): void;
  /** Sends a message to the client (notifications/message) if its level admits it. */
  notify(level: LogLevel, data: unknown): void;
  /** Whether the client can answer such a question. */
  canAsk(kind: QuestionKind): boolean;
  /**
   * Asks the client; null if it cannot be asked, declines or does not answer. In protocol versions without requests to
   * the client, the call is run again from its start with the answer: ask before doing work, and give each question of
   * a call its own `key`.
   */
  ask(key: string, question: ClientQuestion): Promise<ClientAnswer | null>;
  /** Over HTTP, closes the response stream while the work continues; the client fetches the result later. */
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
  /** Leaves the first text block out, because `content` is complete without it. */
  readonly contentOnly?: boolean;
  /** Leaves out `structuredContent`, for contracts whose errors are text only. */
  readonly textOnly?: boolean;
}

/** A failure as a JSON-RPC error, for contracts that use those. */
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

/** A tool in the registry, with untyped arguments. Created by `defineTool`. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The schema that calls are checked against. */
  readonly input: ObjectSchema;
  /** The schema that clients see in `tools/list`: the input schema, or a shorter form of it. */
  readonly listed: ObjectSchema;
  readonly output: ObjectSchema;
  readonly annotations: ToolAnnotations;
  readonly icons: readonly Icon[];
  /** `_meta` of the tool in the list, with the names that clients document. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The resource that shows this tool's answers, announced to clients with MCP Apps (`_meta.ui.resourceUri`). */
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
 * Keeps the schema's literal type, so that `handle` has typed arguments. The dispatcher checks them before it calls.
 */
export function defineTool<const S extends ObjectSchema>(definition: ToolDefinition<S>): Tool {
  return {
    ...definition,
    listed: definition.listed ?? definition.input,
    taskSupport: definition.taskSupport ?? 'forbidden',
    handle: (args, ctx) => definition.handle(args as ValueOf<S>, ctx),
  };
}

/** A failed call, as a profile sees it when it writes the error. */
export interface FailedCall {
  readonly tool: Tool;
  /** The arguments as the client sent them, unchecked. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly ctx: CallContext;
}

/** How a contract formats failures. Each function may return an error result or throw an RpcError. */
export interface ErrorForm {
  /** Formats arguments that the input schema rejects. */
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
  /** Returns null if no resource has this URI. */
  read(uri: string, ctx: CallContext): Promise<readonly ResourceContent[] | null>;
  /** Calls `changed` whenever the resource changes, until the returned function is called. */
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
  /** Name of the prompt or URI template that the argument belongs to. */
  readonly ref: { readonly kind: 'prompt' | 'resource'; readonly name: string };
  readonly argument: string;
  /** The text typed so far. */
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
  /** How the contract counts the length of a string, where it differs from JSON Schema. */
  readonly lengthOf?: LengthOf;
  readonly resources?: Resources;
  readonly prompts?: readonly PromptRecord[];
  complete?(request: CompletionRequest, ctx: CallContext): Promise<readonly string[]>;
  /** Called before every call with valid arguments; throws EngineError to refuse it (rate limits). */
  admit?(tool: Tool, ctx: CallContext): void;
  /** Runs once before serving; throws if the profile cannot work (a missing folder, an unreachable endpoint). */
  start?(): Promise<void>;
  /**
   * False if the profile does not answer from the index, which is then neither made nor watched. Called after start(),
   * at the first call.
   */
  usesIndex?(): Promise<boolean>;
  /** Stops all work that start() or the tools started. */
  stop?(): Promise<void>;
}

/** The dependencies of a profile. Values of environment variables arrive here as data. */
export interface ProfileOptions {
  readonly workspace: string | null;
  readonly version: string;
  readonly log: Log;
  /** Adds fields for debugging (`debug.join_status`). */
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

  /** Calls back after each later registration; returns a function that stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
