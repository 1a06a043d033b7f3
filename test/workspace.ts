/**
 * The real engine over the files that a test needs, in a temp folder of its own. The fleet's tests run the same suites
 * with another `opener`: there, indexing publishes a snapshot, and a node of the fleet answers.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadStaticModel } from '../src/embed/index.ts';
import { createEngine, type Engine, type EngineConfig } from '../src/engine/index.ts';
import { openReader } from '../src/store/index.ts';
import type { StoreReader, TreeView } from '../src/store/store.ts';
import { engineConfig } from './engine-config.ts';

export interface Workspace {
  readonly root: string;
  readonly home: string;
  readonly engine: Engine;
  write(path: string, text: string): void;
  remove(path: string): void;
  git(...args: string[]): string;
  /** Another engine over the same data folder, closed with the workspace. */
  anotherEngine(change?: Partial<EngineConfig>): Engine;
  /** The published tree itself, for rooms below the engine; closed with the workspace. */
  openTree(): Promise<{ readonly reader: StoreReader; readonly view: TreeView; readonly moduleOf: () => string }>;
  close(): Promise<void>;
}

type Opener = (files: Readonly<Record<string, string>>) => Workspace;

let opener: Opener = embeddedWorkspace;
let isEmbedded = true;

/** Suites that are loaded from now on get their workspaces from `open`. */
export function openWorkspacesWith(open: Opener): void {
  opener = open;
  isEmbedded = false;
}

/** Options of a test about what only an engine on the user's own machine does; `reason` says why. */
export function embeddedOnly(reason: string): { readonly skip: string | false } {
  return { skip: isEmbedded ? false : reason };
}

export function workspace(files: Readonly<Record<string, string>>): Workspace {
  return opener(files);
}

export function embeddedWorkspace(files: Readonly<Record<string, string>>): Workspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-test-')));
  const root = join(folder, 'project');
  const home = join(folder, 'home');
  const config = engineConfig(home, { inline: true });
  const engines: Engine[] = [];
  const readers: StoreReader[] = [];
  const anotherEngine = (change: Partial<EngineConfig> = {}) => {
    const engine = createEngine({ ...config, ...change });
    engines.push(engine);
    return engine;
  };
  const engine = anotherEngine();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) write(path, text);
  return {
    root,
    home,
    engine,
    write,
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-C', root, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    anotherEngine,
    async openTree() {
      const { storeFolder } = await engine.project(root);
      const { id, dims } = loadStaticModel(config.modelFolder);
      const reader = openReader({ folder: storeFolder, modelId: id, dims });
      readers.push(reader);
      return { reader, view: reader.openTree({ root, ref: 'live' })!, moduleOf: () => '' };
    },
    async close() {
      for (const reader of readers) reader.close();
      await Promise.all(engines.map((each) => each.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
