/** Reads request bodies within limits. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { jsonExcess } from '../protocol/json-limits.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/**
 * An oversized body is read and dropped up to this size, because a client that is disconnected while it sends never
 * sees the error.
 */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;
/** Limit of all bodies in transit together, against many clients that send slowly. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
let heldBytes = 0;

export class BodyError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The request's JSON body. Throws BodyError for another type, an oversized body, too many parts, or invalid JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  // For this content type, a browser first sends a preflight request to another origin, which is refused; a form or
  // plain text would be sent without one.
  if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
    throw new BodyError(415, -32000, 'Unsupported Media Type: Content-Type must be application/json.');
  if (Number(request.headers['content-length'] ?? 0) > MAX_DROPPED_BYTES) throw tooLarge();
  const body = await readBytes(request);
  const excess = jsonExcess(body);
  if (excess) throw new BodyError(413, -32600, `Request too large: ${excess}.`);
  if (!isUtf8(body)) throw new BodyError(400, -32700, 'Parse error: the body is not UTF-8.');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new BodyError(400, -32700, `Parse error: ${(error as Error).message}`);
  }
}

/** Uses events, because leaving a `for await` loop would close the connection before the error is sent. */
export function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let held = 0;
    const settle = (finish: () => void) => {
      heldBytes -= held;
      held = 0;
      chunks.length = 0;
      request.removeAllListeners('data').resume();
      finish();
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_DROPPED_BYTES) return settle(() => reject(tooLarge()));
      if (bytes > MAX_BODY_BYTES) return;
      chunks.push(chunk);
      held += chunk.length;
      heldBytes += chunk.length;
      if (heldBytes > MAX_HELD_BYTES) settle(() => reject(tooMany()));
    });
    request.once('end', () => {
      const body = bytes > MAX_BODY_BYTES ? null : Buffer.concat(chunks);
      settle(() => (body ? resolve(body) : reject(tooLarge())));
    });
    request.once('error', (error) => settle(() => reject(error)));
    request.once('close', () => settle(() => reject(new Error('the client left'))));
  });
}

function tooMany(): BodyError {
  return new BodyError(503, -32603, 'Too many large requests are on their way. Try again later.');
}

function tooLarge(): BodyError {
  return new BodyError(413, -32600, `Request too large; the limit is ${MAX_BODY_BYTES} bytes.`);
}
