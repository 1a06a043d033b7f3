/**
 * JSON-RPC over a pair of streams, one message a line. Beyond the SDK's own transport it answers what that one drops or dies of: a line that
 * is not JSON (-32700), a message that is not JSON-RPC (-32600), a request before `initialize` (-32600), one that is too large, and the
 * batches of 2025-03-26. Nothing but messages is ever written.
 */
import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { isRecord } from './questions.ts';

/** Arguments beyond this are refused: no tool has a use for them. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** A line beyond this is not even parsed to learn its id. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const BATCH_VERSION = '2025-03-26';
const NEWLINE = 10;

type RequestId = string | number;

export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #input: Readable;
  readonly #output: Writable;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #skipping = false;
  #closed = false;
  #initializeId: RequestId | undefined;
  /** Version agreed upon by initialize; undefined before. */
  #version: string | undefined;
  readonly #batches: { readonly open: Set<RequestId>; readonly responses: JSONRPCMessage[] }[] = [];

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#input.on('error', (error) => this.onerror?.(error));
    this.#input.on('end', () => this.#end());
    this.#input.on('close', () => this.#end());
    // A client that has gone away: nothing more can be said to it.
    this.#output.on('error', () => this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('result' in message && message.id === this.#initializeId && isRecord(message.result)) {
      const { protocolVersion } = message.result;
      if (typeof protocolVersion === 'string') this.#version = protocolVersion;
    }
    if (!('method' in message) && this.#holdForBatch(message)) return;
    await this.#write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#end();
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > MAX_LINE_BYTES) {
      this.#skipping = true;
      this.#chunks = [];
    }
    if (!this.#skipping && part.length > 0) this.#chunks.push(part);
  }

  #endLine(): void {
    const { length } = { length: this.#bytes };
    const line = this.#skipping ? null : Buffer.concat(this.#chunks).toString('utf8').trim();
    this.#chunks = [];
    this.#bytes = 0;
    this.#skipping = false;
    if (line === null) this.#refuse(null, -32600, tooLarge(length));
    else if (line.length > 0) this.#parse(line, length);
  }

  #parse(line: string, bytes: number): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#refuse(null, -32700, `Parse error: ${(error as Error).message}`);
      return;
    }
    if (Array.isArray(value)) this.#receiveBatch(value, bytes);
    else this.#accept(value, bytes);
  }

  #receiveBatch(values: readonly unknown[], bytes: number): void {
    if (values.length === 0 || this.#version !== BATCH_VERSION) {
      this.#refuse(null, -32600, 'Invalid Request: this protocol version has no batches; send one message a line.');
      return;
    }
    const ids = values.flatMap((value) => (isRequest(value) ? [value.id] : []));
    if (ids.length > 0) this.#batches.push({ open: new Set(ids), responses: [] });
    for (const value of values) this.#accept(value, bytes);
  }

  #accept(value: unknown, bytes: number): void {
    const id = isRecord(value) && (typeof value.id === 'string' || typeof value.id === 'number') ? value.id : null;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse(id, -32600, 'Invalid Request: not a JSON-RPC 2.0 message.');
      return;
    }
    if (bytes > MAX_MESSAGE_BYTES && isRequest(message)) {
      this.#refuse(message.id, -32600, tooLarge(bytes));
      return;
    }
    if (isRequest(message) && !this.#admits(message)) return;
    this.onmessage?.(message);
  }

  /** Before the handshake only itself, `ping`, and requests that bring their own envelope (2026-07-28) are served. */
  #admits(request: JSONRPCRequest): boolean {
    if (request.method === 'initialize') {
      this.#initializeId = request.id;
      return true;
    }
    if (this.#version !== undefined) return true;
    const meta = request.params?._meta;
    if (request.method === 'server/discover' || (isRecord(meta) && PROTOCOL_VERSION_META_KEY in meta)) return true;
    if (request.method === 'ping') void this.#write(serializeMessage({ jsonrpc: '2.0', id: request.id, result: {} }));
    // An initialize on its way counts: clients may send the next request without waiting for the answer.
    else if (this.#initializeId !== undefined) return true;
    else this.#refuse(request.id, -32600, 'Server not initialized: send "initialize" first.');
    return false;
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.onerror?.(new Error(`${code} ${message}`));
    // The SDK's type has no null id, which JSON-RPC wants where none could be read.
    void this.send({ jsonrpc: '2.0', id: id as RequestId, error: { code, message } });
  }

  #holdForBatch(message: JSONRPCMessage): boolean {
    const id = 'id' in message ? message.id : undefined;
    const batch = id === undefined ? undefined : this.#batches.find(({ open }) => open.has(id));
    if (!batch) return false;
    batch.open.delete(id!);
    batch.responses.push(message);
    if (batch.open.size === 0) {
      this.#batches.splice(this.#batches.indexOf(batch), 1);
      void this.#write(`${JSON.stringify(batch.responses)}\n`);
    }
    return true;
  }

  #write(line: string): Promise<void> {
    if (this.#closed || this.#output.destroyed) return Promise.resolve();
    return new Promise((resolve) => this.#output.write(line, () => resolve()));
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.removeAllListeners('data');
    this.#input.pause();
    this.onclose?.();
  }
}

function isRequest(value: unknown): value is JSONRPCRequest {
  return isRecord(value) && 'method' in value && (typeof value.id === 'string' || typeof value.id === 'number');
}

function tooLarge(bytes: number): string {
  return `Request too large: ${bytes} bytes; the limit is ${MAX_MESSAGE_BYTES}.`;
}
