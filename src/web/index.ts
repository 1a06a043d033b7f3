/**
 * The web room: the page at `/` of `sextant serve` and the API at `/api/` that it calls. It owns what a browser shows,
 * the headers of the page, and the form of those answers; it must not know how requests are guarded (transports) nor
 * how an answer is found (engine). Invariants: the page is one file, it contacts no origin but its own, it runs no
 * inline code but its own (the policy has the digests), and text of a project becomes text nodes only.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { serveApi } from './api/serve-api.ts';
import type { Site } from './site.ts';

/** Serves the page and its API; returns false for every other path. */
export type Page = (request: IncomingMessage, response: ServerResponse, site: Site) => Promise<boolean>;

/** `file` is the built page, with script and style inside. */
export async function loadPage(file: string): Promise<Page> {
  const html = await readFile(file);
  const headers = pageHeaders(html.toString('utf8'));
  // Compressed once, in the background of the first request.
  let packed: Promise<Packed> | undefined;
  return async (request, response, site) => {
    const address = new URL(request.url ?? '/', 'http://localhost');
    if (site.status === 200 && (await serveApi(request, response, address, site))) return true;
    if (address.pathname !== '/' || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    packed ??= pack(html);
    const { body, encoding } = choose(await packed, String(request.headers['accept-encoding'] ?? ''), html);
    response.writeHead(site.status, {
      ...headers,
      ...(encoding && { 'Content-Encoding': encoding }),
      Vary: 'Accept-Encoding',
      'Content-Length': body.length,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    return true;
  };
}

type Packed = Readonly<Record<'br' | 'gzip', Buffer>>;

async function pack(html: Buffer): Promise<Packed> {
  return { br: await promisify(brotliCompress)(html), gzip: await promisify(gzip)(html) };
}

function choose(packed: Packed, accepted: string, html: Buffer): { body: Buffer; encoding?: string } {
  for (const encoding of ['br', 'gzip'] as const)
    if (new RegExp(`\\b${encoding}\\b`).test(accepted)) return { body: packed[encoding], encoding };
  return { body: html };
}

function pageHeaders(html: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src ${digests(html, 'script')}`,
    `style-src ${digests(html, 'style')}`,
    "connect-src 'self'",
    'font-src data:',
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
