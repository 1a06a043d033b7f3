/** Recorded discoveries in one or two folders of text files: the user's own, and the team's in the repository where the team asked for it. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Discovery } from '../model/discovery.ts';
import { EngineError } from '../model/errors.ts';
import { formatDiscovery, parseDiscovery } from './discovery-file.ts';

const ENDING = '.md';

export class Notebook {
  readonly #own: string;
  readonly #team: string;
  #cache: { readonly stamp: string; readonly discoveries: Discovery[]; readonly broken: string[] } | null = null;

  /** `team` is used for reading whenever it exists, and for writing once it exists. */
  constructor(own: string, team: string) {
    this.#own = own;
    this.#team = team;
  }

  /** All recorded discoveries, newest first; files that cannot be read are left out and named by broken(). */
  all(): readonly Discovery[] {
    return this.#load().discoveries;
  }

  broken(): readonly string[] {
    return this.#load().broken;
  }

  find(id: string): Discovery | null {
    return this.all().find((discovery) => discovery.id === id) ?? null;
  }

  save(discovery: Discovery): void {
    const folder = existsSync(this.#team) ? this.#team : this.#own;
    // Written aside and renamed: two agents that record at once never leave half a file.
    const temporary = join(folder, `.${discovery.id}.${randomBytes(4).toString('hex')}`);
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(temporary, formatDiscovery(discovery));
      renameSync(temporary, join(folder, discovery.id + ENDING));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw new EngineError('store_unwritable', { path: folder, reason: (error as Error).message }, error);
    }
    this.#cache = null;
  }

  remove(id: string): boolean {
    if (!/^[\w.-]+$/.test(id)) return false;
    let removed = false;
    for (const folder of [this.#own, this.#team]) {
      const file = join(folder, id + ENDING);
      if (!existsSync(file)) continue;
      rmSync(file);
      removed = true;
    }
    this.#cache = null;
    return removed;
  }

  #load(): { readonly discoveries: Discovery[]; readonly broken: string[] } {
    const files = [this.#own, this.#team].flatMap(listFiles);
    // Of every file, not of the folders: an edit in place leaves the folder as it was.
    const stamp = files.map(({ file, stamp: own }) => `${file} ${own}`).join('\n');
    if (this.#cache?.stamp === stamp) return this.#cache;
    const byId = new Map<string, Discovery>();
    const broken: string[] = [];
    for (const { file } of files) {
      const discovery = readDiscovery(file);
      if (discovery) byId.set(discovery.id, discovery);
      else broken.push(file);
    }
    const discoveries = [...byId.values()].sort((a, b) => b.dateMs - a.dateMs || (a.id < b.id ? -1 : 1));
    this.#cache = { stamp, discoveries, broken };
    return this.#cache;
  }
}

function listFiles(folder: string): { readonly file: string; readonly stamp: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING) && !name.startsWith('.'))
    .sort()
    .map((name) => {
      const file = join(folder, name);
      const found = statSync(file, { throwIfNoEntry: false });
      return { file, stamp: `${found?.ino} ${found?.size} ${found?.mtimeMs}` };
    });
}

function readDiscovery(file: string): Discovery | null {
  try {
    return parseDiscovery(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
