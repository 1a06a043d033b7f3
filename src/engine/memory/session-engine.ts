/** The engine as one session sees it: its questions, reads and records belong to that session. */
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

  /** A request that names a session of its own keeps it. */
  #own<T extends object>(request: T): T {
    return { session: this.#session, ...request };
  }

  override search(path: string, request: SearchRequest) {
    return this.inner.search(path, this.#own(request));
  }

  override locate(path: string, request: Parameters<Engine['locate']>[1]) {
    return this.inner.locate(path, this.#own(request));
  }

  override research(path: string, request: ResearchRequest) {
    return this.inner.research(path, this.#own(request));
  }

  override readFile(path: string, request: ReadFileRequest) {
    return this.inner.readFile(path, this.#own(request));
  }

  override contextSearch(path: string, request: ContextRequest) {
    return this.inner.contextSearch(path, this.#own(request));
  }

  override remember(path: string, request: RememberRequest) {
    return this.inner.remember(path, this.#own(request));
  }
}
