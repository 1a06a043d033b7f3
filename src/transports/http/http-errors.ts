/** Sends errors of the HTTP server as JSON-RPC errors. */
import type { ServerResponse } from 'node:http';
import { isRecord } from '../../model/runtime/is-record.ts';

/** The id of a JSON-RPC request, which its error must repeat. */
function requestId(body: unknown): string | number | null {
  return isRecord(body) && (typeof body.id === 'string' || typeof body.id === 'number') ? body.id : null;
}

export function sendError(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  body: unknown,
): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: requestId(body), error: { code, message } }));
}
