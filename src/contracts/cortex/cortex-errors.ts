/** JSON-RPC errors: -32602 for an invalid call, -32603 for every failure of the server. */
import type { EngineError, ErrorCode } from '../../model/records/engine-errors.ts';
import { type ErrorForm, RpcError } from '../contract.ts';

const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const CALLERS_FAULT: ReadonlySet<ErrorCode> = new Set(['invalid_input', 'empty_query', 'invalid_pattern']);

/** Messages for this profile, which has no tool that indexes. */
const FIXES: Partial<Record<ErrorCode, string>> = {
  not_indexed: 'Run `sextant index` in the project folder once.',
};

export function emptyQuery(): RpcError {
  return new RpcError(INVALID_PARAMS, 'Invalid params: query is empty', { param: 'query' });
}

export const cortexErrors: ErrorForm = {
  invalidArguments(issues) {
    const words = issues.map(({ path, reason }) => `${path || 'arguments'} ${reason}`).join('; ');
    throw new RpcError(INVALID_PARAMS, `Invalid params: ${words}`, { param: issues[0]!.path });
  },
  engineError(error: EngineError, { ctx, tool }) {
    if (CALLERS_FAULT.has(error.code)) throw new RpcError(INVALID_PARAMS, `Invalid params: ${error.message}`);
    ctx.log('error', 'search failed', { tool: tool.name, code: error.code, reason: error.message });
    throw new RpcError(INTERNAL, `Internal error: ${error.message}`, {
      code: error.code,
      fix: FIXES[error.code] ?? error.fix,
    });
  },
};
