/**
 * A team's memory on a node. The fleet stores it; the node's embedded engine has a copy beside the hydrated repository
 * and answers from that, by the same calls as on one machine. A discovery is written to the fleet before it is
 * acknowledged.
 */
import type { Engine, RememberRequest } from '../../engine/engine.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { SharedDiscoveries, SharedDiscovery } from '../memory/shared-discoveries.ts';
import type { Subject } from './subjects.ts';

/** Maximum delay until a discovery of another node is noticed. */
const CHECK_INTERVAL_MS = 1_000;
/** Tolerance for clock differences between nodes, and for the delay until a write is searchable. */
const OVERLAP_MS = 60_000;

interface Copy {
  /** Write time of the latest copied document; null before the first check. */
  seenMs: number | null;
  lookedAtMs: number;
  bringing: Promise<void> | null;
}

type Notes = Pick<Engine, 'discoveries' | 'forget' | 'importDiscoveries' | 'remember'>;

export class TeamMemory {
  readonly #engine: Notes;
  readonly #shared: SharedDiscoveries;
  readonly #copies = new Map<string, Copy>();

  constructor(engine: Notes, shared: SharedDiscoveries) {
    this.#engine = engine;
    this.#shared = shared;
  }

  /** Copies new discoveries; `root` is the repository's folder on this node. */
  async bring(repository: string, root: string, afterMs = CHECK_INTERVAL_MS): Promise<void> {
    const copy = this.#copies.get(repository) ?? { seenMs: null, lookedAtMs: Number.NEGATIVE_INFINITY, bringing: null };
    this.#copies.set(repository, copy);
    if (Date.now() - copy.lookedAtMs <= afterMs) return;
    copy.bringing ??= this.#update(repository, root, copy).finally(() => {
      copy.bringing = null;
    });
    await copy.bringing;
  }

  /** Called when the repository is evicted from this node, with its copy of the memory. */
  forgetCopy(repository: string): void {
    this.#copies.delete(repository);
  }

  async #update(repository: string, root: string, copy: Copy): Promise<void> {
    const started = Date.now();
    try {
      const written = await this.#shared.since(repository, copy.seenMs === null ? 0 : copy.seenMs - OVERLAP_MS);
      if (copy.seenMs === null) await this.#removeUnknown(root, written);
      await this.#take(root, written);
      copy.seenMs = Math.max(copy.seenMs ?? 0, written.at(-1)?.writtenAtMs ?? 0);
    } catch (error) {
      // The copy answers while the cluster is unavailable.
      const isAway = error instanceof EngineError && error.code === 'fleet_unavailable';
      if (!isAway || copy.seenMs === null) throw error;
    }
    copy.lookedAtMs = started;
  }

  async #take(root: string, written: readonly SharedDiscovery[]): Promise<void> {
    const existing = written.filter(({ isRemoved }) => !isRemoved);
    if (existing.length > 0)
      await this.#engine.importDiscoveries(
        root,
        existing.map(({ discovery }) => discovery),
      );
    const removed = new Set(written.filter(({ isRemoved }) => isRemoved).map(({ id }) => id));
    if (removed.size === 0) return;
    for (const { id } of await this.#engine.discoveries(root, { recorded: true }))
      if (removed.has(id)) await this.#engine.forget(root, id);
  }

  /** Removes discoveries that the fleet does not know: the repository was registered anew since the copy was made. */
  async #removeUnknown(root: string, written: readonly SharedDiscovery[]): Promise<void> {
    const known = new Set(written.map(({ id }) => id));
    for (const { id, author } of await this.#engine.discoveries(root, { recorded: true }))
      if (author !== undefined && !known.has(id)) await this.#engine.forget(root, id);
  }

  /**
   * Records a discovery. Throws as the engine does, and fleet_unavailable if it cannot be written; then it is not
   * recorded.
   */
  async remember(repository: string, root: string, request: RememberRequest, { name }: Subject) {
    await this.bring(repository, root, 0);
    // No subject is trusted like the user of a local machine: a record may contain orders to an agent.
    const recorded = await this.#engine.remember(root, { ...request, origin: 'agent', author: name });
    try {
      const written = await this.#shared.change(repository, recorded.discovery.id, () => ({
        discovery: recorded.discovery,
        isRemoved: false,
      }));
      return { ...recorded, discovery: written!.discovery };
    } catch (error) {
      await this.#engine.forget(root, recorded.discovery.id);
      this.#copies.delete(repository);
      throw error;
    }
  }

  /** Removes a discovery, which only its author may do. False if there is none. */
  async forget(repository: string, root: string, id: string, { name }: Subject): Promise<boolean> {
    const known = await this.#shared.find(repository, id);
    if (!known) return false;
    if (known.author !== name)
      throw new EngineError('unsupported', { what: `forget ${id}`, reason: `${known.author} recorded it.` });
    await this.#shared.change(repository, id, (now) => now && { discovery: now.discovery, isRemoved: true });
    await this.bring(repository, root, 0);
    return true;
  }
}
