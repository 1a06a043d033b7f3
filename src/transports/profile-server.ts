/**
 * Serves a profile with the SDK's low-level server, for one connection (2025 era) or one request (2026 era over HTTP):
 * tools, resources, prompts and completions. The SDK's high-level class would swallow JSON-RPC errors of contracts and
 * keeps no order of tools.
 */
import {
  type JSONRPCRequest,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
  MissingRequiredClientCapabilityError,
  type Result,
  Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AnswerAwaited, callTool, RpcError } from '../contracts/index.ts';
import { isRecord } from '../model/runtime/is-record.ts';
import type { ProfileHost } from './host.ts';
import {
  declaredCapabilities,
  declaresTasks,
  disguiseCode,
  type Era,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  revealCode,
  serverCapabilities,
  showsViews,
  TASKS_EXTENSION,
} from './protocol/capabilities.ts';
import { initializeResult } from './protocol/greeting.ts';
import { callDigest, openState, sealState } from './protocol/round-state.ts';
import { type CallWork, registerOffers } from './protocol/server-offers.ts';
import { Call, type Connection } from './protocol/tool-call.ts';
import { hasFeature, resultToWire, serverInfoToWire, toolToWire } from './protocol/wire-shape.ts';
import { registerTaskMethods, taskToCreated, taskToWire } from './tasks/task-methods.ts';

/** A call that could become a task is answered directly if it finishes within this time. */
const QUICK_MS = 100;
const METHOD_NOT_FOUND = -32601;
/** Methods whose result may be `input_required` (2026-07-28). */
const ASKING_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);
const LIST_TTL_MS = 5 * 60 * 1000;

const anyParams = z.looseObject({});
const callParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  task: z.looseObject({ ttl: z.number().nullish() }).optional(),
});

/** Accepts everything: the handlers check elicited content, and building the SDK's validator would slow the start. */
const trustingValidator: jsonSchemaValidator = {
  getValidator<T>() {
    return (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    });
  },
};

export class ProfileServer extends Server {
  readonly #connection: Connection;
  readonly #stopSubscriptions: () => void;
  #stopListening: (() => void) | undefined;

  constructor(host: ProfileHost, era: Era) {
    super(serverInfoToWire(host.profile.serverInfo, MODERN_VERSION), {
      capabilities: serverCapabilities(host.profile, era),
      instructions: host.profile.instructions,
      jsonSchemaValidator: trustingValidator,
      ...(era === 'modern' && {
        supportedProtocolVersions: [MODERN_VERSION, ...LEGACY_VERSIONS],
        cacheHints: cacheHints(),
      }),
    });
    const server = this;
    this.#connection = {
      host,
      server,
      modern: era === 'modern',
      roots: undefined,
      get version() {
        return era === 'modern' ? MODERN_VERSION : (server.getNegotiatedProtocolVersion() ?? LEGACY_VERSIONS[0]!);
      },
    };
    this.#registerTools();
    this.#stopSubscriptions = registerOffers(this, this.#connection, (method, params, sdk, work) =>
      this.#run(method, params, sdk, work),
    );
    registerTaskMethods(this, host, era);
    this.setNotificationHandler('notifications/roots/list_changed', () => {
      this.#connection.roots = undefined;
    });
    this.onclose = () => this.#release();
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(revealCode(message), options);
    await super.connect(transport);
  }

  /**
   * A call that becomes a task returns another type of result, which the SDK's check of tools/call results would
   * reject.
   */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const checked = super._wrapHandler(method, handler);
    if (method === 'initialize')
      return async (request, ctx) => {
        await withInvalidParamsError(checked, request, ctx);
        return initializeResult(this.#connection.host.profile, this.#connection.version);
      };
    if (method === 'logging/setLevel') return (request, ctx) => withInvalidParamsError(checked, request, ctx);
    if (method !== 'tools/call') return checked;
    return (request, ctx) => (this.#mayBecomeTask(request.params, ctx) ? handler(request, ctx) : checked(request, ctx));
  }

  #registerTools(): void {
    const { host } = this.#connection;
    this.setRequestHandler('tools/list', { params: anyParams.optional() }, (_params, sdk) => {
      const { modern, version } = this.#connection;
      const capabilities = modern ? declaredCapabilities(sdk) : this.getClientCapabilities();
      const listedFor = {
        version,
        tasks: modern ? ('extension' as const) : ('slot' as const),
        showsViews: showsViews(capabilities),
      };
      return { tools: host.profile.tools.list().map((tool) => toolToWire(tool, listedFor)) };
    });
    this.setRequestHandler('tools/call', { params: callParams }, (params, sdk) => this.#call(params, sdk));
    this.#stopListening = host.profile.tools.onChange(() => {
      this.notification({ method: 'notifications/tools/list_changed' }).catch(() => {});
    });
  }

  async #call(params: z.infer<typeof callParams>, sdk: ServerContext): Promise<Result> {
    const { host, modern, version } = this.#connection;
    const tool = host.profile.tools.get(params.name);
    const dispatch = { profile: host.profile, metrics: host.metrics };
    const work = async (call: Call) =>
      resultToWire(await callTool(dispatch, params.name, params.arguments, call), version);
    if (modern && tool?.taskSupport === 'required' && !declaresTasks(sdk))
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
      });
    if (!modern && hasFeature(version, 'tasks')) {
      if (params.task && (!tool || tool.taskSupport === 'forbidden'))
        throw new RpcError(METHOD_NOT_FOUND, `The tool ${params.name} cannot run as a task.`);
      if (!params.task && tool?.taskSupport === 'required')
        throw new RpcError(METHOD_NOT_FOUND, `The tool ${params.name} runs as a task only.`);
    }
    if (!this.#mayBecomeTask(params, sdk)) return this.#run('tools/call', params, sdk, work);
    return modern ? this.#callOrTask(params, sdk, work) : this.#callAsTask(params, sdk, work);
  }

  /** 2025-11-25: the client requested a task and gets one at once. */
  async #callAsTask(params: z.infer<typeof callParams>, sdk: ServerContext, work: CallWork): Promise<Result> {
    const { host } = this.#connection;
    const call = await this.#newCall('tools/call', params, sdk);
    const task = host.tasks.create(call.session, params.task?.ttl);
    void call.workspace();
    call.moveTo(task);
    task.onStatus(() => {
      this.notification({ method: 'notifications/tasks/status', params: taskToWire(task) }).catch(() => {});
    });
    void host.tasks.run(task, () => call.during(work));
    return { task: taskToWire(task) };
  }

  /**
   * 2026-07-28: the server decides. A call that finishes quickly, or asks the client before it starts, stays a plain
   * call.
   */
  async #callOrTask(params: z.infer<typeof callParams>, sdk: ServerContext, work: CallWork): Promise<Result> {
    const { host } = this.#connection;
    const call = await this.#newCall('tools/call', params, sdk);
    const running = call.during(work);
    const isQuick = await Promise.race([
      running.then(
        () => true,
        () => true,
      ),
      delay(QUICK_MS),
    ]);
    if (isQuick) return this.#finish('tools/call', params, call, running);
    const task = host.tasks.create(call.session, undefined);
    call.moveTo(task);
    void host.tasks.run(task, () => running);
    return taskToCreated(task);
  }

  async #newCall(method: string, params: Record<string, unknown>, sdk: ServerContext): Promise<Call> {
    const { host, modern } = this.#connection;
    const state = modern ? sdk.mcpReq.requestState<unknown>() : undefined;
    const earlierAnswers =
      typeof state === 'string' ? openState(host.stateKey, callDigest(method, params), state).answers : {};
    const answers = { ...earlierAnswers, ...sdk.mcpReq.inputResponses };
    return new Call(this.#connection, {
      engine: await host.engine(),
      sdk,
      answers,
      mayAsk: !modern || ASKING_METHODS.has(method),
    });
  }

  async #run(method: string, params: Record<string, unknown>, sdk: ServerContext, work: CallWork): Promise<Result> {
    const call = await this.#newCall(method, params, sdk);
    return this.#finish(method, params, call, call.during(work));
  }

  async #finish(
    method: string,
    params: Record<string, unknown>,
    call: Call,
    running: Promise<Result>,
  ): Promise<Result> {
    try {
      return await running;
    } catch (thrown) {
      if (thrown instanceof AnswerAwaited) {
        const requestState = sealState(this.#connection.host.stateKey, callDigest(method, params), {
          answers: call.answers,
        });
        return { resultType: 'input_required', inputRequests: Object.fromEntries(call.unanswered), requestState };
      }
      throw disguiseCode(thrown);
    }
  }

  #mayBecomeTask(params: unknown, sdk: ServerContext): boolean {
    if (!isRecord(params)) return false;
    if (!this.#connection.modern) return isRecord(params.task) && hasFeature(this.#connection.version, 'tasks');
    const tool = this.#connection.host.profile.tools.get(String(params.name));
    return tool !== undefined && tool.taskSupport !== 'forbidden' && declaresTasks(sdk);
  }

  #release(): void {
    this.#stopListening?.();
    this.#stopSubscriptions();
  }
}

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/**
 * Converts errors of the SDK's own handlers to "invalid params": they report invalid parameters as internal errors, and
 * fail for no other reason.
 */
async function withInvalidParamsError(handler: Handler, request: JSONRPCRequest, ctx: ServerContext): Promise<Result> {
  try {
    return await handler(request, ctx);
  } catch (thrown) {
    throw new RpcError(-32602, `Invalid params for ${request.method}: ${(thrown as Error).message}`);
  }
}

function cacheHints() {
  const hint = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const;
  return { 'tools/list': hint, 'prompts/list': hint, 'resources/templates/list': hint, 'server/discover': hint };
}

function delay(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, ms, false));
}
