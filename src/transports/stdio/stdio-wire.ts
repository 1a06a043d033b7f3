/**
 * JSON-RPC over a pair of streams, one message a line. Beyond the SDK's own transport it answers what that one drops or
 * dies of: a line that is not JSON (-32700), a message that is not JSON-RPC (-32600), a request before `initialize`
 * (-32600), one that is too large, and the batches of 2025-03-26. Nothing but messages is ever written.
 */
import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { isRecord } from '../../model/runtime/is-record.ts';
import { BATCH_VERSION, PROTOCOL_VERSION_KEY } from '../protocol/capabilities.ts';
import { jsonExcess } from '../protocol/json-limits.ts';
import { withoutNulls } from '../protocol/without-nulls.ts';

/** Arguments beyond this are refused: no tool has a use for them. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** A line beyond this is not even parsed to learn its id. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/**
 * After the end of input, requests that are already here may take this long: `printf … | sextant serve-mcp` gets its
 * answers. A little longer than a question waits for the first index.
 */
const DRAIN_MS = 6000;
const NEWLINE = 10;
const NO_MESSAGE = 'Invalid Request: not a JSON-RPC 2.0 message.';

type RequestId = string | number;

/** Answers an `initialize`, or null to leave it to the server. */
export type Greeter = (params: unknown) => Record<string, unknown> | null;

export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #greet: Greeter;
  #onmessage: Transport['onmessage'];
  /** Messages that came before the server was there. */
  #early: JSONRPCMessage[] | null = [];
  /** Id of an initialize that was answered here: the server's own answer to it is dropped. */
  #greetedId: RequestId | undefined;
  readonly #heard: Promise<void>;
  #hear!: () => void;
  #started = false;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #skipping = false;
  #closed = false;
  #initializeId: RequestId | undefined;
  /** Version agreed upon by initialize; undefined before. */
  #version: string | undefined;
  /** Requests that wait for their answer. */
  readonly #open = new Set<RequestId>();
  #draining = false;
  readonly closed: Promise<void>;
  #onclosed!: () => void;
  readonly #batches: { readonly open: Set<RequestId>; readonly responses: JSONRPCMessage[] }[] = [];

  constructor(input: Readable, output: Writable, greet: Greeter) {
    this.#input = input;
    this.#output = output;
    this.#greet = greet;
    this.#heard = new Promise((resolve) => {
      this.#hear = resolve;
    });
    this.closed = new Promise((resolve) => {
      this.#onclosed = resolve;
    });
  }

  get onmessage(): Transport['onmessage'] {
    return this.#onmessage;
  }

  /** The next reader gets the messages that came before. */
  set onmessage(listener: Transport['onmessage']) {
    this.#onmessage = listener;
    const early = this.#early ?? [];
    this.#early = null;
    for (const message of early) listener?.(message);
  }

  /** Reads and greets. Resolves with the first message that needs a server, or the end. */
  listen(): Promise<void> {
    void this.start();
    return this.#heard;
  }

  async start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    this.#input.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#input.on('error', (error) => this.onerror?.(error));
    this.#input.on('end', () => this.#drain());
    this.#input.on('close', () => this.#drain());
    // A client that has gone away: nothing more can be said to it.
    this.#output.on('error', () => this.#end());
    // A socket that was read by hand before stands still.
    this.#input.resume();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const answered = 'id' in message && !('method' in message) ? message.id : undefined;
    if (answered !== undefined && answered === this.#greetedId) {
      this.#greetedId = undefined;
      return;
    }
    if ('result' in message && message.id === this.#initializeId && isRecord(message.result)) {
      const { protocolVersion } = message.result;
      if (typeof protocolVersion === 'string') this.#version = protocolVersion;
    }
    if (answered === undefined || !this.#holdForBatch(message)) await this.#write(`${JSON.stringify(message)}\n`);
    if (answered !== undefined) this.#settle(answered);
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
    const bytes = this.#skipping ? null : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    this.#skipping = false;
    if (bytes === null) this.#refuse(null, -32600, tooLarge(length));
    else if (jsonExcess(bytes)) this.#refuse(null, -32600, `Request too large: ${jsonExcess(bytes)}.`);
    else if (!isUtf8(bytes)) this.#refuse(null, -32700, 'Parse error: the line is not UTF-8.');
    else this.#parse(bytes.toString('utf8').trim(), length);
  }

  #parse(line: string, bytes: number): void {
    if (line.length === 0) return;
    let value: unknown;
    try {
      value = withoutNulls(JSON.parse(line));
    } catch (error) {
      this.#refuse(null, -32700, `Parse error: ${(error as Error).message}`);
      return;
    }
    if (Array.isArray(value)) this.#receiveBatch(value, bytes);
    else this.#accept(value, bytes);
  }

  /** Answers a request that no handler took. */
  refuse(request: JSONRPCRequest): void {
    this.#refuse(request.id, -32600, NO_MESSAGE);
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
    if (!isMessage(value)) {
      this.#refuse(id, -32600, NO_MESSAGE);
      return;
    }
    const message = value;
    if (bytes > MAX_MESSAGE_BYTES && isRequest(message)) {
      this.#refuse(message.id, -32600, tooLarge(bytes));
      return;
    }
    if (isRequest(message)) {
      this.#open.add(message.id);
      if (!this.#admits(message)) return;
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      // A cancelled request is not answered.
      this.#leaveBatch(message.params?.requestId as RequestId);
      this.#settle(message.params?.requestId as RequestId);
    }
    if (this.#early) this.#early.push(message);
    else this.#onmessage?.(message);
    this.#hear();
  }

  /** Before the handshake only itself, `ping`, and requests that bring their own envelope (2026-07-28) are served. */
  #admits(request: JSONRPCRequest): boolean {
    if (request.method === 'initialize') {
      const greeting = this.#version === undefined && this.#early ? this.#greet(request.params) : null;
      this.#initializeId = request.id;
      if (greeting) {
        void this.send({ jsonrpc: '2.0', id: request.id, result: greeting });
        this.#greetedId = request.id;
      }
      return true;
    }
    if (this.#version !== undefined) return true;
    const meta = request.params?._meta;
    if (request.method === 'server/discover' || (isRecord(meta) && PROTOCOL_VERSION_KEY in meta)) return true;
    if (request.method === 'ping') void this.send({ jsonrpc: '2.0', id: request.id, result: {} });
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
    return id !== undefined && this.#leaveBatch(id, message);
  }

  /**
   * With its answer, or without one; the last to leave sends what there is. False when the request came in no batch.
   */
  #leaveBatch(id: RequestId, answer?: JSONRPCMessage): boolean {
    const batch = this.#batches.find(({ open }) => open.has(id));
    if (!batch) return false;
    batch.open.delete(id);
    if (answer) batch.responses.push(answer);
    if (batch.open.size === 0) {
      this.#batches.splice(this.#batches.indexOf(batch), 1);
      if (batch.responses.length > 0) void this.#write(`${JSON.stringify(batch.responses)}\n`);
    }
    return true;
  }

  #write(line: string): Promise<void> {
    if (this.#closed || this.#output.destroyed) return Promise.resolve();
    return new Promise((resolve) => this.#output.write(line, () => resolve()));
  }

  #settle(id: RequestId): void {
    this.#open.delete(id);
    if (this.#draining && this.#open.size === 0) this.#end();
  }

  #drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    this.#hear();
    if (this.#open.size === 0) this.#end();
    else setTimeout(() => this.#giveUp(), DRAIN_MS);
  }

  #giveUp(): void {
    for (const id of this.#open) this.#refuse(id, -32603, 'The input ended before the answer was there.');
    this.#end();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.removeAllListeners('data');
    this.#input.pause();
    this.#hear();
    this.#onclosed();
    this.onclose?.();
  }
}

/** Shape of a JSON-RPC 2.0 message; what its method makes of the parameters is the server's to check. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isRecord(value) || value.jsonrpc !== '2.0') return false;
  const hasId = typeof value.id === 'string' || Number.isInteger(value.id);
  if ('method' in value)
    return (
      typeof value.method === 'string' &&
      (hasId || !('id' in value)) &&
      (!('params' in value) || isRecord(value.params))
    );
  return hasId && ('result' in value ? isRecord(value.result) : isRecord(value.error));
}

export function isRequest(value: unknown): value is JSONRPCRequest {
  return isRecord(value) && 'method' in value && (typeof value.id === 'string' || typeof value.id === 'number');
}

function tooLarge(bytes: number): string {
  return `Request too large: ${bytes} bytes; the limit is ${MAX_MESSAGE_BYTES}.`;
}
