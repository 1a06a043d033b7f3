/**
 * `sextant serve` as a client of the shared engine: requests that its project is served over HTTP, and keeps the
 * request alive.
 */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { ErrorWithFix } from '../../model/records/engine-errors.ts';
import { quoted, UsageError } from '../parsing/usage-error.ts';
import type { Session } from './command-session.ts';
import { serveFor } from './serve-for.ts';
import type { HttpClient, HttpPlace } from './served-client.ts';

export type ServedPlace = Extract<HttpPlace, { readonly url: string }>;

export class HttpServing {
  readonly #session: Session;
  readonly #client: HttpClient;
  readonly #ask = new PassThrough();
  readonly #answers = new PassThrough();
  #place: ServedPlace | null = null;
  #isWatched = false;
  #isOwn = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(session: Session, client: HttpClient) {
    this.#session = session;
    this.#client = client;
  }

  /** Whether this process is the engine; it may become the engine when the previous one ends. */
  get isOwn(): boolean {
    return this.#isOwn;
  }

  /** Starts serving and returns where the project is served. Throws if it cannot be. */
  start(): Promise<ServedPlace> {
    const { promise, resolve, reject } = deferred<ServedPlace>();
    this.#ended = serveFor(this.#session, {
      client: this.#client,
      isShared: true,
      input: this.#ask,
      output: this.#answers,
      onOwnEngine: () => {
        this.#isOwn = true;
      },
    });
    this.#ended.catch(reject);
    createInterface({ input: this.#answers }).on('line', (line) => {
      const place = JSON.parse(line) as HttpPlace;
      if (!('url' in place)) return reject(this.#refusal(place));
      this.#moved(place);
      resolve(place);
    });
    return promise;
  }

  /** Another engine serves the project now: it must watch the project, too. */
  #moved(place: ServedPlace): void {
    if (this.#place && this.#place.url !== place.url)
      this.#session.say(`The engine has changed: the project is served at ${place.url}${place.path} now.`);
    this.#place = place;
    // The next engine must use the same project for URLs without a name.
    this.#client.unnamedRoot = place.unnamedRoot;
    if (this.#isWatched) this.#ask.write('watch\n');
  }

  #refusal(place: Exclude<HttpPlace, ServedPlace>): Error {
    if ('error' in place) {
      const { code, data, fix } = place.error;
      return new ErrorWithFix(code, data, fix);
    }
    const { code, port } = place.trouble;
    const problem =
      code === 'EADDRINUSE'
        ? 'is in use'
        : code === 'EACCES'
          ? 'may not be opened by this user'
          : 'is not an address of this machine';
    const isHost = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND';
    const subject = isHost ? quoted(this.#client.host) : `Port ${port}`;
    return new UsageError(`${subject} ${problem}.`, 'Pass another with --port or --host; --port 0 picks a free one.');
  }

  /** Requests the engine to watch the project from now on. */
  watch(): void {
    this.#isWatched = true;
    this.#ask.write('watch\n');
  }

  async close(): Promise<void> {
    this.#ask.end();
    await this.#ended.catch(() => {});
  }
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
