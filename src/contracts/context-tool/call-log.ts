/**
 * The contract's call log: a line before each call and one after it, and a warning for a call that exceeded its time.
 * Lines of the level notice are written without --verbose, too.
 */
import type { CallContext, ErrorForm, FailedCall, Tool, ToolResult } from '../contract.ts';
import { resultText } from '../dispatch.ts';

const MAX_SHOWN = 200;

/** Longest time a call may take, in milliseconds. */
function maxTimeMs(tool: string, args: Readonly<Record<string, unknown>>): number {
  if (tool === 'read_file') return args.includeDeps === true ? 2_000 : 500;
  return tool === 'grep_codebase' ? 3_000 : 5_000;
}

export type CallLogLevel = 'info' | 'notice';

const startedAt = new WeakMap<CallContext, number>();

/**
 * Wraps a tool so that its calls are logged before and after. The error form logs failures itself, because it writes
 * their messages.
 */
export function logged(tool: Tool, level: CallLogLevel): Tool {
  return {
    ...tool,
    async handle(args, ctx) {
      announce(level, tool.name, args, ctx);
      const result = await tool.handle(args, ctx);
      complete(level, tool.name, args, ctx, result);
      return result;
    },
  };
}

export function loggedErrors(errors: ErrorForm, level: CallLogLevel): ErrorForm {
  const logRefusal = async ({ tool, args, ctx }: FailedCall, result: Promise<ToolResult>): Promise<ToolResult> => {
    // The call was refused before it ran: invalid arguments or a rate limit.
    if (!startedAt.has(ctx)) announce(level, tool.name, args, ctx);
    complete(level, tool.name, args, ctx, await result);
    return result;
  };
  return {
    ...errors,
    invalidArguments: (issues, call) => logRefusal(call, Promise.resolve(errors.invalidArguments(issues, call))),
    engineError: (error, call) => logRefusal(call, Promise.resolve(errors.engineError(error, call))),
    ...(errors.unknownTool && {
      unknownTool(name, call) {
        announce(level, name, call.args, call.ctx);
        const result = errors.unknownTool!(name, call);
        complete(level, name, call.args, call.ctx, result);
        return result;
      },
    }),
  };
}

type Arguments = Readonly<Record<string, unknown>>;

function announce(level: CallLogLevel, tool: string, args: Arguments, ctx: CallContext): void {
  startedAt.set(ctx, performance.now());
  ctx.log(level, 'Tool called', {
    tool,
    params: shortened(args),
    sessionId: ctx.session,
    timestamp: Date.now(),
  });
}

function complete(level: CallLogLevel, tool: string, args: Arguments, ctx: CallContext, result: ToolResult): void {
  const started = startedAt.get(ctx);
  const duration = started === undefined ? 0 : Math.round((performance.now() - started) * 100) / 100;
  const success = !result.isError;
  const fields = { tool, success, duration, resultSize: resultText(result).length };
  ctx.log(level, 'Tool completed', success ? fields : { ...fields, error: result.structured.error });
  const limit = maxTimeMs(tool, args);
  if (duration > limit) ctx.log('warn', 'Tool took too long', { tool, duration, limit });
}

function shortened(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value,
    ]),
  );
}
