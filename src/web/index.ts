/**
 * The web room: one page for people, at `/` of `sextant serve`. It owns what a browser shows and the headers under which the page travels; it
 * must not know the engine nor the transports: in the browser it is an MCP client like any other and asks `/mcp`. Invariants: one file, no
 * address but its own origin, no inline code but its own (the policy names its digests), text of the project only ever as text nodes.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Serves the page at `/`; false for every other address. */
export type Page = (request: IncomingMessage, response: ServerResponse, status: number) => boolean;

/** `file`: the page as the build wrote it, script and style inside. */
export async function loadPage(file: string): Promise<Page> {
  const html = await readFile(file);
  const headers = pageHeaders(html.toString('utf8'));
  return (request, response, status) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname !== '/' || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    response.writeHead(status, { ...headers, 'Content-Length': html.length });
    response.end(request.method === 'HEAD' ? undefined : html);
    return true;
  };
}

function pageHeaders(html: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src ${digests(html, 'script')}`,
    `style-src ${digests(html, 'style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}

function digests(html: string, tag: 'script' | 'style'): string {
  const found = [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
  );
  return found.join(' ') || "'none'";
}
