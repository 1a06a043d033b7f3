/**
 * JSON-RPC over a pair of streams, one message per line. Unlike the SDK's own transport it answers input that the SDK
 * drops or crashes on: a line that is not JSON (-32700), a message that is not JSON-RPC (-32600), a request before
 * `initialize` (-32600), a message that is too large, and the batches of 2025-03-26. It writes nothing but messages.
 */
import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { isRecord } from '../../model/runtime/is-record.ts';
import { BATCH_VERSION, PROTOCOL_VERSION_KEY } from '../protocol/capabilities.ts';
import { jsonExcess } from '../protocol/json-limits.ts';
import { withoutNulls } from '../protocol/without-nulls.ts';

/** Larger messages are refused: no tool needs as much. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** A longer line is not even parsed for its id. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/**
 * Time for pending requests after the end of input: `printf … | sextant serve-mcp` gets its answers. A little longer
 * than a question waits for the first index.
 */
const DRAIN_MS = 6000;
const NEWLINE = 10;
const INVALID_MESSAGE = 'Invalid Request: not a JSON-RPC 2.0 message.';

type RequestId = string | number;

/** Answers `initialize`, or returns null to leave it to the server. */
export type Greeter = (params: unknown) => Record<string, unknown> | null;

export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #greet: Greeter;
  #onmessage: Transport['onmessage'];
  /** Messages that arrived before the server was connected; null once it is. */
  #queued: JSONRPCMessage[] | null = [];
  /** Id of an `initialize` that was answered here: the server's own answer is dropped. */
  #greetedId: RequestId | undefined;
  readonly #firstMessage: Promise<void>;
  #resolveFirstMessage!: () => void;
  #started = false;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #skipping = false;
  #closed = false;
  #initializeId: RequestId | undefined;
  /** The protocol version that `initialize` negotiated; undefined before. */
  #version: string | undefined;
  /** Ids of requests without an answer yet. */
  readonly #pending = new Set<RequestId>();
  #draining = false;
  readonly closed: Promise<void>;
  #onclosed!: () => void;
  readonly #batches: { readonly open: Set<RequestId>; readonly responses: JSONRPCMessage[] }[] = [];

  constructor(input: Readable, output: Writable, greet: Greeter) {
    this.#input = input;
    this.#output = output;
    this.#greet = greet;
    this.#firstMessage = new Promise((resolve) => {
      this.#resolveFirstMessage = resolve;
    });
    this.closed = new Promise((resolve) => {
      this.#onclosed = resolve;
    });
  }

  get onmessage(): Transport['onmessage'] {
    return this.#onmessage;
  }

  /** The listener first gets the messages that arrived before it was set. */
  set onmessage(listener: Transport['onmessage']) {
    this.#onmessage = listener;
    const early = this.#queued ?? [];
    this.#queued = null;
    for (const message of early) listener?.(message);
  }

  /**
   * Starts reading and answers `initialize`. Resolves at the first message that needs the server, or at the end of
   * input.
   */
  listen(): Promise<void> {
    void this.start();
    return this.#firstMessage;
  }

  async start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    this.#input.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#input.on('error', (error) => this.onerror?.(error));
    this.#input.on('end', () => this.#drain());
    this.#input.on('close', () => this.#drain());
    // The client has disconnected: nothing more can be sent.
    this.#output.on('error', () => this.#end());
    // A socket that was read during the handshake is paused.
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
    if (answered !== undefined) this.#markAnswered(answered);
  }

  async close(): Promise<void> {
    this.#end();
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#appendPart(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#appendPart(chunk.subarray(start));
  }

  #appendPart(part: Buffer): void {
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
    this.#refuse(request.id, -32600, INVALID_MESSAGE);
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
      this.#refuse(id, -32600, INVALID_MESSAGE);
      return;
    }
    const message = value;
    if (bytes > MAX_MESSAGE_BYTES && isRequest(message)) {
      this.#refuse(message.id, -32600, tooLarge(bytes));
      return;
    }
    if (isRequest(message)) {
      this.#pending.add(message.id);
      if (!this.#isAllowed(message)) return;
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      // A cancelled request is not answered.
      this.#leaveBatch(message.params?.requestId as RequestId);
      this.#markAnswered(message.params?.requestId as RequestId);
    }
    if (this.#queued) this.#queued.push(message);
    else this.#onmessage?.(message);
    this.#resolveFirstMessage();
  }

  /**
   * Before the handshake ends, only `initialize`, `ping`, and requests with their own envelope (2026-07-28) are served.
   */
  #isAllowed(request: JSONRPCRequest): boolean {
    if (request.method === 'initialize') {
      const greeting = this.#version === undefined && this.#queued ? this.#greet(request.params) : null;
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
    // A pending `initialize` counts: a client may send its next request without waiting for the answer.
    else if (this.#initializeId !== undefined) return true;
    else this.#refuse(request.id, -32600, 'Server not initialized: send "initialize" first.');
    return false;
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.onerror?.(new Error(`${code} ${message}`));
    // JSON-RPC requires a null id if none could be read; the SDK's type has none.
    void this.send({ jsonrpc: '2.0', id: id as RequestId, error: { code, message } });
  }

  #holdForBatch(message: JSONRPCMessage): boolean {
    const id = 'id' in message ? message.id : undefined;
    return id !== undefined && this.#leaveBatch(id, message);
  }

  /**
   * Removes a request from its batch, with or without an answer; the last one sends the batch's answers. Returns false
   * if the request is in no batch.
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

  #markAnswered(id: RequestId): void {
    this.#pending.delete(id);
    if (this.#draining && this.#pending.size === 0) this.#end();
  }

  #drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    this.#resolveFirstMessage();
    if (this.#pending.size === 0) this.#end();
    else setTimeout(() => this.#giveUp(), DRAIN_MS);
  }

  #giveUp(): void {
    for (const id of this.#pending) this.#refuse(id, -32603, 'The input ended before the answer was there.');
    this.#end();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.removeAllListeners('data');
    this.#input.pause();
    this.#resolveFirstMessage();
    this.#onclosed();
    this.onclose?.();
  }
}

/** Checks the shape of a JSON-RPC 2.0 message; the server checks the parameters of its method. */
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
