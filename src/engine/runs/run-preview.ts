/**
 * What a first run has made so far, as a tree that can be searched. It is made when someone asks, kept in memory only,
 * and made anew when the run has read three times as many files: a page that looks on asks its question again each
 * time, and the run must not cost much more for that.
 */
import { basename } from 'node:path';
import type { SoFar } from '../../indexing/index.ts';
import type { Presenter } from '../../search/index.ts';
import type { StorePreview } from '../../store/store.ts';
import { deriveModules } from '../../walk/index.ts';
import type { Models } from '../model-loader.ts';
import type { OpenedProject } from '../projects/opened-project.ts';

const GROWTH = 3;
/** And so many more at least: each tree begins a segment of the store. */
const LEAST_MORE = 200;

/** A tree of a part of the files. */
export interface PartialTree {
  readonly presenter: Presenter;
  /** Files that were read by then, and all of them. */
  readonly done: number;
  readonly total: number;
}

export class RunPreview {
  readonly #opened: OpenedProject;
  readonly #models: Models;
  readonly #soFar: SoFar;
  #store: StorePreview | null = null;
  #tree: Promise<PartialTree> | null = null;
  /** A tree is made anew when so many files have been read. */
  #anewAt = 1;
  #users = 0;
  #ended = false;

  constructor(opened: OpenedProject, models: Models, soFar: SoFar) {
    this.#opened = opened;
    this.#models = models;
    this.#soFar = soFar;
  }

  /** Asks the tree of the files read by now; null while there are none, and once the run has ended. */
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
    if (this.#tree && done < this.#anewAt) return this.#tree;
    this.#anewAt = Math.max(Math.ceil(done * GROWTH), done + LEAST_MORE);
    const making = this.#make(done, total);
    this.#tree = making;
    making.catch(() => {
      this.#anewAt = 1;
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

  /** The run has ended: questions under way are still answered. */
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
