/**
 * The engine that an HTTP server offers: a client may query the served workspace and, on loopback, registered projects,
 * but no other folder of the machine.
 */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import { parseScope } from '../../model/records/scope.ts';
import { isWithin } from '../../model/text/is-within.ts';
import type { Engine } from '../engine.ts';
import { type FolderMethod, ForwardingEngine } from '../forwarding-engine.ts';

const REMOTE_REASON = 'other machines are served one project only';

export interface ServedProjects {
  readonly workspace: string | null;
  /** Registered projects are served, too. False for clients on other machines. */
  readonly registered: boolean;
}

export function servedProjects(engine: Engine, served: ServedProjects): Engine {
  return new ServedEngine(engine, served);
}

class ServedEngine extends ForwardingEngine {
  readonly #served: ServedProjects;

  constructor(inner: Engine, served: ServedProjects) {
    super(inner);
    this.#served = served;
  }

  protected override async about<T>(method: FolderMethod, path: string, args: readonly unknown[]): Promise<T> {
    return super.about(method, await this.#check(path), args);
  }

  /** Workspaces are changed in a terminal, never by a client. */
  override addToWorkspace(name: string): Promise<never> {
    return refuseChange(name);
  }

  override removeFromWorkspace(name: string): Promise<never> {
    return refuseChange(name);
  }

  override async doctor(path: string | null) {
    return this.about<Awaited<ReturnType<Engine['doctor']>>>('doctor', path ?? '/', []);
  }

  override async knownProjects() {
    const known = await this.inner.knownProjects();
    // A fleet node lists the repositories that its subject may see, by name.
    if (!this.inner.hasLocalFiles) return known;
    const served = await Promise.all(known.map(({ root }) => this.#isServed(root)));
    return known.filter((_, i) => served[i]);
  }

  override async workspaces() {
    const all = await this.inner.workspaces();
    const served = await Promise.all(
      all.map(async ({ members }) => {
        const each = await Promise.all(members.map(({ root }) => this.#isServed(root)));
        return each.length > 0 && each.every(Boolean);
      }),
    );
    return all.filter((_, i) => served[i]);
  }

  /**
   * Returns the real path. The error is the same for a folder that does not exist, so it reveals nothing about the
   * machine.
   */
  async #check(path: string): Promise<string> {
    if (parseScope(path)) return this.#checkScope(path);
    const realPath = await resolveRealPath(path);
    if (await this.#isServed(realPath)) return realPath;
    const reason = this.#served.registered ? 'it is no registered project' : REMOTE_REASON;
    throw new EngineError('not_served', { path, reason });
  }

  /** A scope is served if all of its repositories are. */
  async #checkScope(scope: string): Promise<string> {
    const { workspace, registered } = this.#served;
    const isOther = parseScope(scope)!.workspace !== (workspace === null ? null : parseScope(workspace)?.workspace);
    if (isOther && !registered) throw new EngineError('not_served', { path: scope, reason: REMOTE_REASON });
    for (const { root } of await this.inner.members(scope)) await this.#check(root);
    return scope;
  }

  async #isServed(folder: string): Promise<boolean> {
    const { workspace, registered } = this.#served;
    if (workspace !== null && (await servedRoots(this.inner, workspace)).some((root) => isWithin(folder, root)))
      return true;
    return registered && (await this.inner.registeredRoots()).some((root) => isWithin(folder, root));
  }
}

async function refuseChange(name: string): Promise<never> {
  throw new EngineError('not_served', { path: name, reason: 'workspaces are changed in a terminal' });
}

async function servedRoots(engine: Engine, workspace: string): Promise<readonly string[]> {
  if (!parseScope(workspace)) return [await resolveRealPath(workspace)];
  return (await engine.members(workspace)).map(({ root }) => root);
}

/** Resolves symbolic links; a path that does not exist stays unchanged. */
function resolveRealPath(path: string): Promise<string> {
  const absolute = resolve(path);
  return realpath(absolute).catch(() => absolute);
}
