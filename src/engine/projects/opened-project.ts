/** One project with its store open for reading: finds the published tree that answers for a ref. */
import { EngineError } from '../../model/records/engine-errors.ts';
import { closeIdleWriter, openPreview, openReader, openWriter } from '../../store/index.ts';
import type { StoreOptions, StorePreview, StoreReader, StoreWriter, TreeView } from '../../store/store.ts';
import { resolveRef } from '../../walk/index.ts';
import { bareDefaultBranches, type ResolvedProject } from './project-registry.ts';

const READER_GRACE_MS = 10_000;
/** An abbreviated or full commit id. */
const COMMIT_ID = /^[0-9a-f]{7,64}$/i;

/** Strips the prefix of a full ref name: `refs/heads/main` becomes `main`. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\/(?=.)/, '');
}

export class OpenedProject {
  #resolved: ResolvedProject;
  readonly #options: StoreOptions;
  readonly #onReaderReplaced: () => void;
  #reader: StoreReader | null = null;
  /** The reader that opened each view: no other reader knows the view's ids. */
  readonly #readerOf = new WeakMap<TreeView, StoreReader>();

  /**
   * `onReaderReplaced` is called when the store's reader is replaced; objects derived from the old reader must then be
   * released, or they would keep it open.
   */
  constructor(
    resolved: ResolvedProject,
    options: Omit<StoreOptions, 'folder'>,
    onReaderReplaced: () => void = () => undefined,
  ) {
    this.#resolved = resolved;
    this.#onReaderReplaced = onReaderReplaced;
    this.#options = { ...options, folder: resolved.storeFolder };
  }

  get resolved(): ResolvedProject {
    return this.#resolved;
  }

  /** Replaces the git state: a server outlives branch switches. */
  refresh(resolved: ResolvedProject): this {
    this.#resolved = resolved;
    return this;
  }

  /**
   * Takes the writer's lease; `keepMs` keeps the connection open for the next run. Throws index_in_progress with this
   * project's root.
   */
  writer(extractorVersion: string, options: { readonly force?: boolean; readonly keepMs?: number } = {}): StoreWriter {
    try {
      return openWriter(this.#options, { owner: `pid ${process.pid}`, extractorVersion, ...options });
    } catch (error) {
      if (!(error instanceof EngineError && error.code === 'index_in_progress')) throw error;
      throw new EngineError('index_in_progress', { ...error.data, path: this.resolved.root }, error);
    }
  }

  /** Opens a preview of the running first index; the caller closes it. */
  preview(extractorVersion: string): StorePreview {
    return openPreview(this.#options, extractorVersion);
  }

  /** Throws not_indexed without a store, and the store's own errors. */
  get reader(): StoreReader {
    if (this.#reader?.isInPlace === false) this.replaceReader();
    this.#reader ??= openReader(this.#options);
    return this.#reader;
  }

  /** Detaches from the open store file, which may be replaced. Questions that are running finish on the old reader. */
  replaceReader(): void {
    const reader = this.#reader;
    this.#reader = null;
    this.#onReaderReplaced();
    closeIdleWriter(this.#options.folder);
    setTimeout(() => reader?.close(), READER_GRACE_MS).unref();
  }

  /**
   * The tree to answer from. Without a ref, or with the checked-out branch: the live tree. With another ref: the tree
   * indexed for it, or the live tree while it is still of that branch. Throws not_indexed.
   */
  view(ref?: string): TreeView {
    const { reader, view } = this.#open(ref);
    this.#readerOf.set(view, reader);
    return view;
  }

  /**
   * As view(), but distinguishes a ref that does not exist from one that is not indexed. Also throws not_a_repository
   * and ref_not_found.
   */
  async find(ref?: string): Promise<TreeView> {
    try {
      return this.view(ref);
    } catch (error) {
      if (ref && error instanceof EngineError && error.code === 'not_indexed') await this.checkRef(ref);
      throw error;
    }
  }

  /** Throws not_a_repository or ref_not_found if the ref could not be indexed either. */
  async checkRef(ref: string): Promise<void> {
    const { root, git } = this.resolved;
    if (ref === 'live' || ref === 'HEAD' || shortRef(ref) === git?.branch) return;
    if (!git) throw new EngineError('not_a_repository', { path: root });
    await resolveRef(root, ref);
  }

  /** The reader that understands the view's ids. */
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
      if (reader !== this.#reader) this.#onReaderReplaced();
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
    if (!ref || ref === 'live' || ref === 'HEAD') return live() ?? this.#bareDefaultTree(reader);
    if (ref !== git?.branch) return reader.openTree({ root, ref }) ?? liveOf(ref) ?? this.#atCommit(reader, ref);
    // While a branch is checked out, the live tree follows it and the tree indexed under its name does not. Just after
    // a checkout it is the other way round.
    return liveOf(ref) ?? reader.openTree({ root, ref }) ?? live();
  }

  /** A commit id finds the tree of a tag or branch that was indexed at that commit. */
  #atCommit(reader: StoreReader, ref: string): TreeView | null {
    if (!COMMIT_ID.test(ref)) return null;
    const { root } = this.resolved;
    const trees = reader.trees().filter((tree) => tree.root === root && tree.ref !== 'live');
    const found = trees.filter(({ commit }) => commit?.startsWith(ref.toLowerCase()));
    const commits = new Set(found.map(({ commit }) => commit));
    return commits.size === 1 ? reader.openTree(found[0]!) : null;
  }

  #bareDefaultTree(reader: StoreReader): TreeView | null {
    for (const ref of bareDefaultBranches(this.resolved)) {
      const tree = reader.openTree({ root: this.resolved.root, ref });
      if (tree) return tree;
    }
    return null;
  }

  /** The ref that an answer names: the branch of the live tree, or 'live' without one. */
  refName(view: TreeView): string {
    return view.info.ref === 'live' ? (view.info.branch ?? 'live') : view.info.ref;
  }

  /** Closes the store file, so that a damaged or newer one can be replaced. */
  close(): void {
    this.#reader?.close();
    this.#reader = null;
    closeIdleWriter(this.#options.folder);
  }
}
