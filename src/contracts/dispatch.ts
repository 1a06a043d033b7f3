/**
 * The only way to call a tool, for every transport: finds the tool, checks its arguments and limits, runs it, formats a
 * failure in the contract's form, escapes hidden characters in texts, and records the call (log, metrics).
 */

import { type EngineError, toEngineError } from '../model/records/engine-errors.ts';
import { isRecord } from '../model/runtime/is-record.ts';
import { revealHidden, revealIn } from '../model/untrusted/visible-text.ts';
import { type CallContext, type FailedCall, type Profile, RpcError, type Tool, type ToolResult } from './contract.ts';
import { checkValue } from './kit/json-schema.ts';
import type { CallRecord, Metrics } from './kit/metrics/call-metrics.ts';
import { markUntrusted } from './kit/untrusted-text.ts';
import { ShownFiles } from './shown-files.ts';

const INVALID_PARAMS = -32602;

/**
 * Thrown by `ctx.ask` when the client's answer arrives with a repeated call. Not a failure; only the transport catches
 * it.
 */
export class AnswerAwaited extends Error {
  constructor() {
    super('The call goes on when the client has answered.');
    this.name = 'AnswerAwaited';
  }
}

export interface DispatchOptions {
  readonly profile: Profile;
  readonly metrics?: Metrics;
}

/** The JSON of a payload, serialised once for both the metrics and the message. */
const payloadTexts = new WeakMap<ToolResult, string>();

/** The text of a result's first block: the profile's own words, or the payload as JSON. */
export function resultText(result: ToolResult): string {
  if (result.text !== undefined) return result.text;
  const text = payloadTexts.get(result) ?? JSON.stringify(result.structured);
  payloadTexts.set(result, text);
  return text;
}

/** Calls a tool. Throws RpcError for a contract that answers with JSON-RPC errors, and AnswerAwaited. */
export async function callTool(
  { profile, metrics }: DispatchOptions,
  name: string,
  args: unknown,
  ctx: CallContext,
): Promise<ToolResult> {
  const tool = profile.tools.get(name);
  if (!tool) {
    if (profile.errors.unknownTool) return profile.errors.unknownTool(name, { args: isRecord(args) ? args : {}, ctx });
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${name}`, { tool: name });
  }
  const started = performance.now();
  let outcome = 'ok';
  let resultBytes = 0;
  let structured: unknown = null;
  try {
    const run = await runTool(profile, tool, args, ctx);
    const result = revealIn(markResult(run.result));
    outcome = run.outcome;
    resultBytes = Buffer.byteLength(resultText(result));
    structured = result.structured;
    return result;
  } catch (thrown) {
    // A call that waits for its client is repeated and counted then.
    outcome = thrown instanceof RpcError ? `rpc_${Math.abs(thrown.code)}` : '';
    throw thrown instanceof RpcError ? revealError(thrown) : thrown;
  } finally {
    const durationMs = performance.now() - started;
    const record = { profile: profile.name, tool: name, outcome, durationMs, resultBytes };
    if (outcome !== '') {
      metrics?.record(record);
      if (metrics && outcome === 'ok') void noteShown(metrics, record, structured, ctx);
      metrics?.recent.add({ ...record, session: ctx.session, args, structured });
    }
    ctx.log('debug', 'tool call', {
      tool: name,
      outcome: outcome || 'awaits the client',
      durationMs: Math.round(durationMs * 100) / 100,
      resultBytes,
    });
  }
}

const shownFiles = new WeakMap<Metrics, ShownFiles>();

/** Runs after the answer is sent, so that the client does not wait for it. */
async function noteShown(metrics: Metrics, record: CallRecord, structured: unknown, ctx: CallContext): Promise<void> {
  const shown = shownFiles.get(metrics) ?? new ShownFiles();
  shownFiles.set(metrics, shown);
  // A failure of the savings ledger must not fail the call.
  const bytes = await shown.bytes(structured, ctx).catch(() => 0);
  metrics.addShown(record, bytes);
}

/** An error quotes only what the client sent. */
function markResult(result: ToolResult): ToolResult {
  return result.isError ? result : { ...result, structured: markUntrusted(result.structured) };
}

function revealError(error: RpcError): RpcError {
  const [message, data] = [revealHidden(error.message), revealIn(error.data)];
  return message === error.message && data === error.data ? error : new RpcError(error.code, message, data);
}

async function runTool(
  profile: Profile,
  tool: Tool,
  args: unknown,
  ctx: CallContext,
): Promise<{ readonly result: ToolResult; readonly outcome: string }> {
  const given = args ?? {};
  const call: FailedCall = { tool, args: isRecord(given) ? given : {}, ctx };
  const checked = checkValue(tool.input, given, profile.lengthOf);
  if (checked.issues.length > 0)
    return { result: await profile.errors.invalidArguments(checked.issues, call), outcome: 'invalid_input' };
  let error: EngineError;
  try {
    profile.admit?.(tool, ctx);
    const result = await tool.handle(checked.value as Record<string, unknown>, ctx);
    return { result, outcome: result.isError ? 'error' : 'ok' };
  } catch (thrown) {
    if (thrown instanceof RpcError || thrown instanceof AnswerAwaited) throw thrown;
    error =
      ctx.signal.aborted && !isExpected(thrown) ? toEngineError(ctx.signal.reason ?? thrown) : toEngineError(thrown);
  }
  if (error.code === 'internal_error')
    ctx.log('error', 'tool failed', { tool: tool.name, error: error.cause ?? error });
  return { result: await profile.errors.engineError(error, call), outcome: error.code };
}

function isExpected(thrown: unknown): boolean {
  return toEngineError(thrown).code !== 'internal_error';
}
