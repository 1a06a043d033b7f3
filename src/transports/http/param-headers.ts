/**
 * Checks that arguments marked with `x-mcp-header` in a tool's schema agree with their headers (2026-07-28), by which
 * gateways route. The SDK checks this for its high-level server only.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Tool } from '../../contracts/index.ts';
import { isRecord } from '../../model/runtime/is-record.ts';

export const HEADER_MISMATCH = -32020;
const ENCODED = /^=\?base64\?(.*)\?=$/s;
const CANONICAL_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Describes the mismatch, or returns null. */
export function paramHeaderMismatch(tool: Tool, args: unknown, headers: IncomingHttpHeaders): string | null {
  if (!isRecord(args)) return null;
  for (const [name, schema] of Object.entries(tool.input.properties ?? {})) {
    const header = (schema as Record<string, unknown>)['x-mcp-header'];
    const value = args[name];
    if (typeof header !== 'string' || value === undefined || value === null) continue;
    const headerValue = headers[`mcp-param-${header.toLowerCase()}`];
    if (typeof headerValue !== 'string') return `${name} is given but the header Mcp-Param-${header} is not`;
    const decoded = decode(headerValue);
    if (decoded === null) return `the header Mcp-Param-${header} is not valid Base64`;
    const equal = typeof value === 'number' ? Number(decoded) === value : decoded === String(value);
    if (!equal) return `the header Mcp-Param-${header} and the argument ${name} differ`;
  }
  return null;
}

function decode(value: string): string | null {
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  return CANONICAL_BASE64.test(encoded) ? Buffer.from(encoded, 'base64').toString('utf8') : null;
}
