/** Wraps the engine for one session: adds the session's id to its questions, reads and records. */
import type { ReadFileRequest, ResearchRequest, SearchRequest } from '../../model/records/query.ts';
import type { ContextRequest, Engine, RememberRequest } from '../engine.ts';
import { ForwardingEngine } from '../forwarding-engine.ts';

export function inSession(engine: Engine, session: string): Engine {
  return new SessionEngine(engine, session);
}

class SessionEngine extends ForwardingEngine {
  readonly #session: string;

  constructor(inner: Engine, session: string) {
    super(inner);
    this.#session = session;
  }

  /** Adds the session's id to a request that has none. */
  #withSession<T extends object>(request: T): T {
    return { session: this.#session, ...request };
  }

  override search(path: string, request: SearchRequest) {
    return this.inner.search(path, this.#withSession(request));
  }

  override locate(path: string, request: Parameters<Engine['locate']>[1]) {
    return this.inner.locate(path, this.#withSession(request));
  }

  override research(path: string, request: ResearchRequest) {
    return this.inner.research(path, this.#withSession(request));
  }

  override readFile(path: string, request: ReadFileRequest) {
    return this.inner.readFile(path, this.#withSession(request));
  }

  override contextSearch(path: string, request: ContextRequest) {
    return this.inner.contextSearch(path, this.#withSession(request));
  }

  override remember(path: string, request: RememberRequest) {
    return this.inner.remember(path, this.#withSession(request));
  }
}
