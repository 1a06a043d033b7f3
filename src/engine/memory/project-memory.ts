/**
 * The memory of one project: recorded and mined discoveries, sessions and accesses. Discoveries are mined again when
 * the tree or the history changes.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Embedder } from '../../embed/embedder.ts';
import {
  AccessLog,
  type CommitNote,
  MinedFiles,
  MinedHistory,
  MinedIdioms,
  markUntrusted,
  mineHistory,
  mineTree,
  Notebook,
  Recall,
  SessionLog,
  TextVectorsCache,
} from '../../memory/index.ts';
import type { Discovery } from '../../model/records/discovery.ts';
import { nameOf } from '../../model/text/path-text.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import { type Modules, matchesModule, readGitState } from '../../walk/index.ts';
import { accessesFile, type ResolvedProject } from '../projects/project-registry.ts';

/** Time limits of one call for reading history and for embedding texts; the next calls continue. */
const HISTORY_MS = 2_500;
const EMBED_MS = 800;

/** The tree that a memory is mined from. */
export interface MinedTree {
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly modules: Modules;
}

export class ProjectMemory {
  readonly notebook: Notebook;
  readonly accesses: AccessLog;
  readonly sessions: SessionLog;
  readonly #project: ResolvedProject;
  readonly #files: MinedFiles;
  readonly #history: MinedHistory;
  readonly #idioms: MinedIdioms;
  readonly #memo: TextVectorsCache;
  readonly #transientMemo: TextVectorsCache;
  #tree: { readonly generation: number; readonly discoveries: readonly Discovery[] } | null = null;
  #commits: {
    readonly notes: readonly CommitNote[];
    readonly generation: number;
    readonly byNote: WeakMap<CommitNote, Discovery>;
    readonly discoveries: readonly Discovery[];
  } | null = null;
  #all: {
    readonly generation: number;
    readonly mined: readonly Discovery[];
    readonly version: number;
    readonly discoveries: readonly Discovery[];
  } | null = null;
  #recall: { readonly discoveries: readonly Discovery[]; readonly recall: Recall } | null = null;

  readonly #distrusted = new WeakMap<Discovery, Discovery>();
  readonly #historyMs: number;
  #isHistoryRead = true;

  constructor(project: ResolvedProject, embedder: Embedder, historyMs = HISTORY_MS) {
    this.#historyMs = historyMs;
    const { storeFolder, root } = project;
    const mined = join(storeFolder, 'mined');
    this.#project = project;
    this.accesses = new AccessLog(accessesFile(project));
    this.sessions = new SessionLog(join(storeFolder, 'sessions'));
    this.notebook = new Notebook(
      join(storeFolder, 'memory'),
      join(root, '.sextant', 'memory'),
      join(mined, 'notebook.json'),
    );
    this.#files = new MinedFiles(join(mined, 'contents.json'));
    this.#history = new MinedHistory(join(mined, historyName(project)));
    this.#idioms = new MinedIdioms(join(mined, 'idioms.json'));
    this.#memo = new TextVectorsCache(join(mined, 'texts.bin'), embedder);
    this.#transientMemo = new TextVectorsCache(null, embedder);
  }

  /**
   * All discoveries, recorded ones first. A recorded discovery replaces a mined one with the same id; forgotten ones
   * are left out.
   */
  async all(tree: MinedTree | null, signal?: AbortSignal): Promise<readonly Discovery[]> {
    const recorded = this.#recorded();
    if (!tree) return linkContradictions(recorded, () => true);
    const { generation } = tree.view.info;
    const ofTree = this.ofTree(tree);
    await this.#readHistory(signal);
    const notes = this.#history.notes();
    if (this.#commits?.notes !== notes || this.#commits.generation !== generation) {
      // The cached discoveries name modules, and another tree may have others.
      const byNote =
        this.#commits?.generation === generation ? this.#commits.byNote : new WeakMap<CommitNote, Discovery>();
      const discoveries = mineHistory(notes, (scope) => moduleNamed(tree.modules, scope), byNote);
      this.#commits = { notes, generation, byNote, discoveries };
    }
    const mined = this.#commits.discoveries;
    const version = this.notebook.version();
    if (this.#all?.generation !== generation || this.#all.mined !== mined || this.#all.version !== version) {
      const hidden = new Set([...recorded.map(({ id }) => id), ...this.notebook.forgotten()]);
      const shown = [...ofTree, ...mined].filter(({ id }) => !hidden.has(id));
      const all = [...recorded, ...shown];
      const ids = new Set(all.map(({ id }) => id));
      this.#all = { generation, mined, version, discoveries: linkContradictions(all, (id) => ids.has(id)) };
    }
    return this.#all.discoveries;
  }

  /** The user's own records are trusted; those of agents or the repository may contain orders to agents. */
  #recorded(): readonly Discovery[] {
    return this.notebook.all().map((discovery) => {
      if (discovery.origin === 'person' && !this.notebook.isFromTeam(discovery.id)) return discovery;
      const checkedForOrders = this.#distrusted.get(discovery) ?? markUntrusted(discovery);
      this.#distrusted.set(discovery, checkedForOrders);
      return checkedForOrders;
    });
  }

  /** False if the last call did not have the time to read all of the history. */
  get isHistoryRead(): boolean {
    return this.#isHistoryRead;
  }

  /** False if the last recall did not have the time to embed all texts. */
  get isEmbedded(): boolean {
    return this.#recall?.recall.isComplete ?? true;
  }

  /** As all(), but reads the whole history first, however long it takes. */
  async whole(tree: MinedTree | null): Promise<readonly Discovery[]> {
    let discoveries = await this.all(tree);
    for (let done = -1; tree && !this.#isHistoryRead && this.#history.done > done; ) {
      done = this.#history.done;
      discoveries = await this.all(tree);
    }
    return discoveries;
  }

  /** Discoveries mined from the files of the tree, without the history. */
  ofTree({ reader, view, modules }: MinedTree): readonly Discovery[] {
    const { generation } = view.info;
    if (this.#tree?.generation !== generation) {
      const files = this.#files.of(reader, view);
      const idioms = this.#idioms.of(reader, view);
      this.#tree = { generation, discoveries: mineTree({ view, moduleOf: modules.moduleOf, files, idioms }) };
    }
    return this.#tree.discoveries;
  }

  /** A recall over the discoveries, in their order. Texts with the wanted terms are embedded first. */
  async recall(
    discoveries: readonly Discovery[],
    wanted: readonly string[] = [],
    signal?: AbortSignal,
  ): Promise<Recall> {
    if (this.#recall?.discoveries === discoveries && this.#recall.recall.isComplete) return this.#recall.recall;
    const recall = await Recall.build(discoveries.map(searchedText), this.#memo, EMBED_MS, signal, wanted);
    this.#recall = { discoveries, recall };
    return recall;
  }

  /** A recall over texts that differ from call to call. */
  recallOf(texts: readonly string[], signal?: AbortSignal): Promise<Recall> {
    return Recall.build(texts, this.#transientMemo, EMBED_MS, signal);
  }

  close(): void {
    this.sessions.flush();
    this.accesses.flush();
  }

  async #readHistory(signal?: AbortSignal): Promise<void> {
    const { root } = this.#project;
    // Read each time: commits are added while the project is open.
    const git = await readGitState(root, signal);
    if (!git?.head) return;
    const place = {
      folder: root,
      head: git.head,
      isWhole: git.workTree === root || git.workTree === null,
      edge: shallowStampOf(git.commonDir),
    };
    await this.#history.update(place, this.#historyMs, signal);
    this.#isHistoryRead = this.#history.isComplete;
  }
}

/** A stamp that changes when a shallow clone is deepened; '' for a full clone. */
function shallowStampOf(commonDir: string): string {
  const found = statSync(join(commonDir, 'shallow'), { throwIfNoEntry: false });
  return found ? `${found.size} ${found.mtimeMs}` : '';
}

/** The name of the history cache: a folder inside a repository has its own. */
function historyName({ git, root }: ResolvedProject): string {
  const inside = git?.workTree && git.workTree !== root ? root.slice(git.workTree.length + 1) : '';
  return inside === '' ? 'history' : `history-${encodeURIComponent(inside).slice(0, 100)}`;
}

/**
 * Makes `contradicts` symmetric, so that a reader of the older discovery learns of the newer, and drops links to
 * unknown ids.
 */
function linkContradictions(all: readonly Discovery[], isKnown: (id: string) => boolean): readonly Discovery[] {
  const back = new Map<string, string[]>();
  for (const { id, contradicts } of all)
    for (const other of contradicts) back.set(other, [...(back.get(other) ?? []), id]);
  if (back.size === 0) return all;
  return all.map((discovery) => {
    const own = back.get(discovery.id) ?? [];
    if (own.length + discovery.contradicts.length === 0) return discovery;
    return { ...discovery, contradicts: [...new Set([...discovery.contradicts.filter(isKnown), ...own])] };
  });
}

/** The text that recall searches: the discovery's current and former words, its file's name and its module. */
export function searchedText({ content, formerly, evidence, module }: Discovery): string {
  const path = evidence[0]?.path ?? '';
  const stem = nameOf(path).replace(/\.\w+$/, '');
  return `${content}${formerly ? `\n${formerly}` : ''}\n${stem} ${module}`;
}

function moduleNamed(modules: Modules, scope: string): string {
  return modules.names.find((name) => matchesModule(name, scope)) ?? '';
}
