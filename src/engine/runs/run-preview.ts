/**
 * A searchable tree of the files that a first run has read so far. It is built on demand, kept in memory only, and
 * rebuilt when the run has read three times as many files: the page repeats its search for each new tree, and that must
 * not slow the run down much.
 */
import { basename } from 'node:path';
import type { RunState } from '../../indexing/index.ts';
import type { Presenter } from '../../search/index.ts';
import type { StorePreview } from '../../store/store.ts';
import { deriveModules } from '../../walk/index.ts';
import type { Models } from '../model-loader.ts';
import type { OpenedProject } from '../projects/opened-project.ts';

const REBUILD_GROWTH = 3;
/** Minimum of new files before a rebuild: each tree begins a segment of the store. */
const MIN_NEW_FILES = 200;

/** A tree of some of the files. */
export interface PartialTree {
  readonly presenter: Presenter;
  /** Number of files read so far; `total` is the number of all. */
  readonly done: number;
  readonly total: number;
}

export class RunPreview {
  readonly #opened: OpenedProject;
  readonly #models: Models;
  readonly #soFar: RunState;
  #store: StorePreview | null = null;
  #tree: Promise<PartialTree> | null = null;
  /** The tree is rebuilt when this many files have been read. */
  #rebuildAtFiles = 1;
  #users = 0;
  #ended = false;

  constructor(opened: OpenedProject, models: Models, soFar: RunState) {
    this.#opened = opened;
    this.#models = models;
    this.#soFar = soFar;
  }

  /** Runs `question` on the tree of the files read so far; null before the first file and after the run. */
  async ask<T>(question: (tree: PartialTree) => Promise<T>): Promise<T | null> {
    if (this.#ended || this.#soFar.count().done === 0) return null;
    this.#users++;
    try {
      return await question(await this.#current());
    } finally {
      this.#users--;
      this.#closeIfIdle();
    }
  }

  #current(): Promise<PartialTree> {
    const { done, total } = this.#soFar.count();
    if (this.#tree && done < this.#rebuildAtFiles) return this.#tree;
    this.#rebuildAtFiles = Math.max(Math.ceil(done * REBUILD_GROWTH), done + MIN_NEW_FILES);
    const making = this.#make(done, total);
    this.#tree = making;
    making.catch(() => {
      this.#rebuildAtFiles = 1;
    });
    return making;
  }

  async #make(done: number, total: number): Promise<PartialTree> {
    const { root, git } = this.#opened.resolved;
    const { embedder, extractor } = this.#models;
    const files = this.#soFar.files();
    this.#store ??= this.#opened.preview(extractor);
    const view = this.#store.open({
      root,
      ref: 'live',
      branch: git?.branch ?? null,
      commit: null,
      files,
      skipped: [],
      options: { extractor },
      modelId: embedder.id,
      durationMs: 0,
    });
    const { reader } = this.#store;
    const textOf = (path: string) => {
      const index = view.indexOfPath(path);
      return index < 0 ? null : reader.text(view.contentOf[index]!);
    };
    const paths = view.files.map(({ path }) => path);
    const { moduleOf } = await deriveModules(paths, textOf, basename(root));
    return { presenter: { reader, view, moduleOf }, done, total };
  }

  /** Called when the run has ended; running questions are still answered. */
  close(): void {
    this.#ended = true;
    this.#closeIfIdle();
  }

  #closeIfIdle(): void {
    if (!this.#ended || this.#users > 0) return;
    this.#store?.close();
    this.#store = null;
    this.#tree = null;
  }
}
