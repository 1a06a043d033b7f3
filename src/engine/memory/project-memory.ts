/**
 * The memory of one project: recorded and mined discoveries together, sessions and accesses; mined again when the tree
 * or the history changes.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Embedder } from '../../embed/embedder.ts';
import {
  AccessLog,
  type CommitNote,
  distrust,
  MinedFiles,
  MinedHistory,
  MinedIdioms,
  mineHistory,
  mineTree,
  Notebook,
  Recall,
  SessionLog,
  TextMemo,
} from '../../memory/index.ts';
import type { Discovery } from '../../model/records/discovery.ts';
import { nameOf } from '../../model/text/path-text.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import { type Modules, matchesModule, readGitState } from '../../walk/index.ts';
import { accessesFile, type ResolvedProject } from '../projects/project-registry.ts';

/**
 * What one call spends on history that was not read yet, and on texts that were not embedded yet. The rest follows with
 * the next calls.
 */
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
  readonly #memo: TextMemo;
  readonly #passing: TextMemo;
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

  readonly #judged = new WeakMap<Discovery, Discovery>();
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
    this.#memo = new TextMemo(join(mined, 'texts.bin'), embedder);
    this.#passing = new TextMemo(null, embedder);
  }

  /**
   * Recorded first, then mined; a recorded discovery replaces a mined one of the same id, and what was forgotten
   * stays forgotten.
   */
  async all(tree: MinedTree | null, signal?: AbortSignal): Promise<readonly Discovery[]> {
    const recorded = this.#recorded();
    if (!tree) return linkedBothWays(recorded, () => true);
    const { generation } = tree.view.info;
    const ofTree = this.ofTree(tree);
    await this.#readHistory(signal);
    const notes = this.#history.notes();
    if (this.#commits?.notes !== notes || this.#commits.generation !== generation) {
      // Another tree may have other modules.
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
      this.#all = { generation, mined, version, discoveries: linkedBothWays(all, (id) => ids.has(id)) };
    }
    return this.#all.discoveries;
  }

  /** Records of the user are trusted; records of an agent or a repository may contain orders to agents. */
  #recorded(): readonly Discovery[] {
    return this.notebook.all().map((discovery) => {
      if (discovery.origin === 'person' && !this.notebook.isTeams(discovery.id)) return discovery;
      const judged = this.#judged.get(discovery) ?? distrust(discovery);
      this.#judged.set(discovery, judged);
      return judged;
    });
  }

  /** False while there was no time to read all of the history; as of the last call. */
  get isHistoryRead(): boolean {
    return this.#isHistoryRead;
  }

  /** False while there was no time to embed everything; as of the last recall. */
  get isEmbedded(): boolean {
    return this.#recall?.recall.isComplete ?? true;
  }

  /** The same as all(), with the whole history, however long that takes. */
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

  /** A recall over the discoveries, in their order; while there is much to embed, those with the wanted terms first. */
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

  /** A recall over texts that change from call to call. */
  recallOf(texts: readonly string[], signal?: AbortSignal): Promise<Recall> {
    return Recall.build(texts, this.#passing, EMBED_MS, signal);
  }

  close(): void {
    this.sessions.flush();
    this.accesses.flush();
  }

  async #readHistory(signal?: AbortSignal): Promise<void> {
    const { root } = this.#project;
    // Read anew: commits come while the project is open.
    const git = await readGitState(root, signal);
    if (!git?.head) return;
    const place = {
      folder: root,
      head: git.head,
      isWhole: git.workTree === root || git.workTree === null,
      edge: shallowEdge(git.commonDir),
    };
    await this.#history.update(place, this.#historyMs, signal);
    this.#isHistoryRead = this.#history.isComplete;
  }
}

/** Changes when a shallow clone is deepened, '' where it is none. */
function shallowEdge(commonDir: string): string {
  const found = statSync(join(commonDir, 'shallow'), { throwIfNoEntry: false });
  return found ? `${found.size} ${found.mtimeMs}` : '';
}

/** A folder inside a repository has a history of its own. */
function historyName({ git, root }: ResolvedProject): string {
  const inside = git?.workTree && git.workTree !== root ? root.slice(git.workTree.length + 1) : '';
  return inside === '' ? 'history' : `history-${encodeURIComponent(inside).slice(0, 100)}`;
}

/**
 * What contradicts another is contradicted by it: who finds the older one must hear of the newer. Links to what is gone
 * lead nowhere.
 */
function linkedBothWays(all: readonly Discovery[], isKnown: (id: string) => boolean): readonly Discovery[] {
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

/** The words of the thought, also those it had before, and of the file that it stands in. */
export function searchedText({ content, formerly, evidence, module }: Discovery): string {
  const path = evidence[0]?.path ?? '';
  const stem = nameOf(path).replace(/\.\w+$/, '');
  return `${content}${formerly ? `\n${formerly}` : ''}\n${stem} ${module}`;
}

function moduleNamed(modules: Modules, scope: string): string {
  return modules.names.find((name) => matchesModule(name, scope)) ?? '';
}
