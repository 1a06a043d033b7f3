/**
 * Saves the metrics of serving processes for `sextant status --metrics`. Each process replaces its own small file in
 * the project's folder; the command shows their sum.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Metrics, type SeriesSnapshot, summarise, type ToolMetrics } from './call-metrics.ts';

const FOLDER = 'metrics';
const FORMAT = 1;
/** A process that writes deletes files that have not changed for this long. */
export const MAX_FILE_AGE_MS = 7 * 24 * 60 * 60 * 1000;
const SAMPLES = 512;
/** Minimum interval between two writes. */
const SAVE_AFTER_MS = 1_000;

export interface SavedMetrics {
  /** Processes whose files were found. */
  readonly servers: number;
  /** Start of the first process; null if there are none. */
  readonly sinceMs: number | null;
  readonly tools: readonly ToolMetrics[];
}

interface SavedFile {
  readonly format: number;
  readonly startedAtMs: number;
  readonly tools: readonly SeriesSnapshot[];
}

/**
 * Saves the metrics of one process to its file. `folder` is resolved when there is something to save; null: do not
 * save.
 */
export class MetricsFile {
  readonly #metrics: Metrics;
  readonly #folder: () => Promise<string | null>;
  readonly #name = `${randomUUID()}.json`;
  readonly #startedAtMs = Date.now();
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #swept = false;
  readonly #stop: () => void;

  constructor(metrics: Metrics, folder: () => Promise<string | null>) {
    this.#metrics = metrics;
    this.#folder = folder;
    this.#stop = metrics.onRecord(() => this.#schedule());
  }

  /** Writes pending changes. */
  async close(): Promise<void> {
    this.#stop();
    if (this.#timer) this.#save();
    await this.#saving;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#save(), SAVE_AFTER_MS).unref();
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // A folder that is not writable must not fail a call: its metrics are not saved.
    this.#saving = this.#saving.then(() => this.#write()).catch(() => {});
  }

  async #write(): Promise<void> {
    const project = await this.#folder();
    if (project === null) return;
    const folder = join(project, FOLDER);
    await mkdir(folder, { recursive: true });
    const content: SavedFile = {
      format: FORMAT,
      startedAtMs: this.#startedAtMs,
      tools: this.#metrics.snapshot().map((series) => ({
        ...series,
        recentMs: series.recentMs.slice(-SAMPLES).map((ms) => Math.round(ms * 100) / 100),
      })),
    };
    const aside = join(folder, `.${this.#name}`);
    await writeFile(aside, JSON.stringify(content), { mode: 0o600 });
    await rename(aside, join(folder, this.#name));
    if (!this.#swept) await sweep(folder);
    this.#swept = true;
  }
}

async function sweep(folder: string): Promise<void> {
  const before = Date.now() - MAX_FILE_AGE_MS;
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found && found.mtimeMs < before) await rm(file, { force: true });
  }
}

/** The sum of all metrics files in the project's folder; invalid files are ignored. */
export async function loadMetrics(project: string): Promise<SavedMetrics> {
  const folder = join(project, FOLDER);
  const names = await readdir(folder).catch(() => []);
  const files: SavedFile[] = [];
  for (const name of names.filter((n) => n.endsWith('.json') && !n.startsWith('.')).sort()) {
    const file = await readFile(join(folder, name), 'utf8').then(parse, () => null);
    if (file) files.push(file);
  }
  files.sort((a, b) => a.startedAtMs - b.startedAtMs);
  const tools = [...summarise(files.flatMap((file) => file.tools))];
  tools.sort((a, b) => (a.profile < b.profile ? -1 : a.profile > b.profile ? 1 : 0));
  return { servers: files.length, sinceMs: files[0]?.startedAtMs ?? null, tools };
}

function parse(text: string): SavedFile | null {
  try {
    const value = JSON.parse(text) as SavedFile;
    return value.format === FORMAT && Array.isArray(value.tools) && value.tools.every(isSeries) ? value : null;
  } catch {
    return null;
  }
}

function isSeries(value: SeriesSnapshot): boolean {
  return (
    typeof value?.profile === 'string' &&
    typeof value.tool === 'string' &&
    typeof value.outcomes === 'object' &&
    value.outcomes !== null &&
    Array.isArray(value.recentMs)
  );
}
