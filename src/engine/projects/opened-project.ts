/**
 * One project with its store open for reading, and what is derived from its published trees: modules, answers of the
 * last queries.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import { closeIdleWriter, openPreview, openReader, openWriter } from '../../store/index.ts';
import type { StoreOptions, StorePreview, StoreReader, StoreWriter, TreeView } from '../../store/store.ts';
import { resolveRef } from '../../walk/index.ts';
import { type ResolvedProject, standingBranches } from './project-registry.ts';

const LONGEST_QUESTION_MS = 10_000;
/** A commit by as much of its id as git prints. */
const COMMIT_ID = /^[0-9a-f]{7,64}$/i;

/** A branch or tag by its whole name is the one of that name: `refs/heads/main` is `main`. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\/(?=.)/, '');
}

export class OpenedProject {
  #resolved: ResolvedProject;
  readonly #options: StoreOptions;
  readonly #onRenewed: () => void;
  #reader: StoreReader | null = null;
  /** A view's ids mean something to the reader that opened it, and to no other. */
  readonly #readerOf = new WeakMap<TreeView, StoreReader>();

  /** `onRenewed`: what was derived through the reader until now is of no use any more, and must not keep it. */
  constructor(
    resolved: ResolvedProject,
    options: Omit<StoreOptions, 'folder'>,
    onRenewed: () => void = () => undefined,
  ) {
    this.#resolved = resolved;
    this.#onRenewed = onRenewed;
    this.#options = { ...options, folder: resolved.storeFolder };
  }

  get resolved(): ResolvedProject {
    return this.#resolved;
  }

  /** Takes over git state that was read again: a server outlives branch switches. */
  refresh(resolved: ResolvedProject): this {
    this.#resolved = resolved;
    return this;
  }

  /**
   * Takes the right to write; `keepMs` for those who will write again soon. Throws index_in_progress, with the
   * project's own name.
   */
  writer(extractorVersion: string, options: { readonly force?: boolean; readonly keepMs?: number } = {}): StoreWriter {
    try {
      return openWriter(this.#options, { owner: `pid ${process.pid}`, extractorVersion, ...options });
    } catch (error) {
      if (!(error instanceof EngineError && error.code === 'index_in_progress')) throw error;
      throw new EngineError('index_in_progress', { ...error.data, path: this.resolved.root }, error);
    }
  }

  /** Of the run that goes on; the caller closes it. */
  preview(extractorVersion: string): StorePreview {
    return openPreview(this.#options, extractorVersion);
  }

  /** Throws not_indexed while there is no store, and what the store says about itself otherwise. */
  get reader(): StoreReader {
    if (this.#reader?.isInPlace === false) this.leave();
    this.#reader ??= openReader(this.#options);
    return this.#reader;
  }

  /** Another file takes the place of what is open, which questions that are under way go on with. */
  leave(): void {
    const reader = this.#reader;
    this.#reader = null;
    this.#onRenewed();
    closeIdleWriter(this.#options.folder);
    setTimeout(() => reader?.close(), LONGEST_QUESTION_MS).unref();
  }

  /**
   * The tree to answer from. Without a ref, or with the branch that is checked out, the live one; else the one indexed
   * for that ref, or the live one as long as it is still of that branch. Throws not_indexed.
   */
  view(ref?: string): TreeView {
    const { reader, view } = this.#open(ref);
    this.#readerOf.set(view, reader);
    return view;
  }

  /**
   * The same, but distinguishes a ref that does not exist from one that is not indexed yet. Throws not_a_repository and
   * ref_not_found too.
   */
  async find(ref?: string): Promise<TreeView> {
    try {
      return this.view(ref);
    } catch (error) {
      if (ref && error instanceof EngineError && error.code === 'not_indexed') await this.checkRef(ref);
      throw error;
    }
  }

  /** Throws where the ref could not be indexed either: not_a_repository, ref_not_found. */
  async checkRef(ref: string): Promise<void> {
    const { root, git } = this.resolved;
    if (ref === 'live' || ref === 'HEAD' || shortRef(ref) === git?.branch) return;
    if (!git) throw new EngineError('not_a_repository', { path: root });
    await resolveRef(root, ref);
  }

  /** For everything that is asked about a view. */
  readerOf(view: TreeView): StoreReader {
    return this.#readerOf.get(view) ?? this.reader;
  }

  #open(ref: string | undefined): { readonly reader: StoreReader; readonly view: TreeView } {
    if (ref !== undefined && typeof ref !== 'string')
      throw new EngineError('invalid_input', { reason: 'The ref must be a text.' });
    const { root } = this.resolved;
    const missing = () => new EngineError('not_indexed', { path: ref && ref !== 'live' ? `${root} at ${ref}` : root });
    let reader: StoreReader;
    try {
      reader = this.reader.renewed();
      if (reader !== this.#reader) this.#onRenewed();
      this.#reader = reader;
    } catch (error) {
      throw error instanceof EngineError && error.code === 'not_indexed' ? missing() : error;
    }
    const view = this.#treeOf(reader, ref);
    if (!view) throw missing();
    return { reader, view };
  }

  #treeOf(reader: StoreReader, requested: string | undefined): TreeView | null {
    const { root, git } = this.resolved;
    const ref = requested && shortRef(requested);
    const live = () => reader.openTree({ root, ref: 'live' });
    const liveOf = (branch: string) => {
      const tree = live();
      return tree?.info.branch === branch ? tree : null;
    };
    if (!ref || ref === 'live' || ref === 'HEAD') return live() ?? this.#stead(reader);
    if (ref !== git?.branch) return reader.openTree({ root, ref }) ?? liveOf(ref) ?? this.#atCommit(reader, ref);
    // While a branch is checked out the live tree follows it, and what was indexed by its name stands still. Just
    // checked out, it is the other way round.
    return liveOf(ref) ?? reader.openTree({ root, ref }) ?? live();
  }

  /** A commit by its id is the tree of a tag or branch that was indexed at it. */
  #atCommit(reader: StoreReader, ref: string): TreeView | null {
    if (!COMMIT_ID.test(ref)) return null;
    const { root } = this.resolved;
    const trees = reader.trees().filter((tree) => tree.root === root && tree.ref !== 'live');
    const found = trees.filter(({ commit }) => commit?.startsWith(ref.toLowerCase()));
    const commits = new Set(found.map(({ commit }) => commit));
    return commits.size === 1 ? reader.openTree(found[0]!) : null;
  }

  #stead(reader: StoreReader): TreeView | null {
    for (const ref of standingBranches(this.resolved)) {
      const tree = reader.openTree({ root: this.resolved.root, ref });
      if (tree) return tree;
    }
    return null;
  }

  /** The name under which an answer says what it speaks of: the branch, else 'live'. */
  refName(view: TreeView): string {
    return view.info.ref === 'live' ? (view.info.branch ?? 'live') : view.info.ref;
  }

  /** Lets go of the file, so that a damaged or newer one can be replaced. */
  close(): void {
    this.#reader?.close();
    this.#reader = null;
    closeIdleWriter(this.#options.folder);
  }
}
