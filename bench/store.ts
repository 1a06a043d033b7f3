/**
 * Speed and size of the store alone, on a made-up repository: `npm run bench:store -- [CHUNKS] [DIMS]`.
 * Ten chunks a file, about sixty distinct terms a chunk, drawn from a vocabulary with the usual long tail.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { FileEntry } from '../src/model/records/source-file.ts';
import { openReader, openWriter } from '../src/store/index.ts';
import {
  type BatchPostings,
  CHUNK_STRIDE,
  type ContentBatch,
  type ContentRecord,
  packFields,
} from '../src/store/store.ts';

const CHUNKS = Number(process.argv[2] ?? 100_000);
const DIMS = Number(process.argv[3] ?? 256);
const PER_FILE = 10;
const TERMS_PER_CHUNK = 60;
const BATCH_FILES = 32;
const VOCABULARY = Math.max(2000, Math.round(CHUNKS * 1.2));
const LIVE = { root: '/bench', ref: 'live' };

let seed = 1;
function random(): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 4294967296;
}

/** Zipf-like: small numbers often, large ones seldom. */
function draw(): number {
  return Math.min(VOCABULARY - 1, Math.floor(VOCABULARY ** random()) - 1);
}

const word = (n: number): string =>
  `${'etaoinshrdlucmfwypvbgkjqxz'[n % 26]}${n.toString(36)}${n % 7 === 0 ? 'handler' : ''}`;

class Gathered {
  readonly #lists = new Map<string, [docs: number[], values: number[]]>();

  add(term: string, doc: number, value: number): void {
    const list = this.#lists.get(term);
    if (list) {
      list[0].push(doc);
      list[1].push(value);
    } else this.#lists.set(term, [[doc], [value]]);
  }

  pack(): BatchPostings {
    const lists = [...this.#lists.values()];
    return {
      terms: [...this.#lists.keys()],
      counts: Uint32Array.from(lists, (list) => list[0].length),
      docs: Uint32Array.from(lists.flatMap((list) => list[0])),
      values: Uint16Array.from(lists.flatMap((list) => list[1])),
    };
  }
}

function makeBatch(first: number, count: number, salt: string): { batch: ContentBatch; files: FileEntry[] } {
  const text = new Gathered();
  const symbol = new Gathered();
  const reference = new Gathered();
  const files: FileEntry[] = [];
  const contents: ContentRecord[] = [];
  for (let f = 0; f < count; f++) {
    const words: string[] = [];
    const chunks = new Int32Array(PER_FILE * CHUNK_STRIDE);
    for (let c = 0; c < PER_FILE; c++) {
      const doc = f * PER_FILE + c;
      const terms = new Set<number>();
      while (terms.size < TERMS_PER_CHUNK) terms.add(draw());
      for (const t of terms) {
        text.add(
          word(t),
          doc,
          packFields(random() < 0.1 ? 1 : 0, random() < 0.1 ? 1 : 0, 1 + Math.floor(random() * 2)),
        );
        words.push(word(t));
      }
      symbol.add(`${word(draw())}${doc % 50}`, doc, 1);
      chunks.set([0, c * 12 + 1, c * 12 + 12, c, c % 3, 0, 3, 8, 80], c * CHUNK_STRIDE);
    }
    for (const t of new Set(words.slice(0, 40))) reference.add(t, f, 2);
    const source = `${salt}${words.join(' ')}`;
    const blobId = createHash('sha1').update(source).digest('hex');
    contents.push({
      blobId,
      language: 'go',
      byteSize: source.length,
      lineCount: PER_FILE * 12,
      text: deflateRawSync(source, { level: 1 }),
      detail: deflateRawSync(JSON.stringify({ chunks: words.slice(0, 200) }), { level: 1 }),
      chunks,
      symbolCount: PER_FILE,
      vectors: Int8Array.from({ length: PER_FILE * DIMS }, () => Math.floor(random() * 100) - 50),
      problems: [],
    });
    const n = first + f;
    const path = `src/module${String(n >> 6).padStart(4, '0')}/package/file${String(n).padStart(6, '0')}.go`;
    files.push({
      path,
      blobId,
      language: 'go',
      flags: 0,
      size: source.length,
      lines: PER_FILE * 12,
      mtimeMs: 1.7e12 + n,
    });
  }
  const postings = { text: text.pack(), symbol: symbol.pack(), reference: reference.pack() };
  return { batch: { contents, postings }, files };
}

/**
 * CPU time of this thread, in steps of a few milliseconds; wall-clock time where the system does not tell. On a busy
 * machine only this means something.
 */
function threadMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

interface Timed<T> {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly result: T;
}

function time<T>(work: () => T): Timed<T> {
  const cpu = threadMs();
  const wall = performance.now();
  const result = work();
  const wallMs = performance.now() - wall;
  return { wallMs, cpuMs: threadMs() - cpu, result };
}

/** Fast quarter of the wall-clock times (what a quiet machine gives) and the mean of the CPU times. */
function summary(samples: readonly Timed<unknown>[]): string {
  const sorted = samples.map((sample) => sample.wallMs).sort((a, b) => a - b);
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!.toFixed(2);
  const cpu = samples.reduce((sum, sample) => sum + sample.cpuMs, 0) / samples.length;
  return `p25 ${at(0.25)} ms, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms (CPU ${cpu.toFixed(2)} ms on average)`;
}

const show = ({ wallMs, cpuMs }: Timed<unknown>): string => `${wallMs.toFixed(1)} ms (CPU ${cpuMs.toFixed(0)})`;
const megabytes = (bytes: number): string => `${(bytes / 1048576).toFixed(1)} MB`;
const memory = (): string => `rss ${megabytes(process.memoryUsage.rss())}`;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
const options = { folder, modelId: 'bench', dims: DIMS };
try {
  const writer = openWriter(options, { owner: 'bench', graceMs: 0 });
  const draft = {
    ...LIVE,
    branch: 'main',
    commit: null,
    skipped: [],
    options: {},
    modelId: 'bench',
    durationMs: 0,
  };
  const files: FileEntry[] = [];
  const steps: Timed<void>[] = [];
  for (let first = 0; first < CHUNKS / PER_FILE; first += BATCH_FILES) {
    const made = makeBatch(first, Math.min(BATCH_FILES, CHUNKS / PER_FILE - first), '');
    files.push(...made.files);
    steps.push(time(() => writer.write(made.batch)));
  }
  const wallMs = steps.reduce((sum, step) => sum + step.wallMs, 0);
  const cpuMs = steps.reduce((sum, step) => sum + step.cpuMs, 0);
  const longest = Math.max(...steps.map((step) => step.cpuMs));
  say(
    `write ${CHUNKS} chunks: ${wallMs.toFixed(0)} ms (CPU ${cpuMs.toFixed(0)}, longest step ${longest.toFixed(0)}), ${memory()}`,
  );
  say(`last flush: ${show(time(() => writer.flush()))}`);
  say(`publish ${files.length} files: ${show(time(() => writer.publish({ ...draft, files })))}`);
  say(
    `merge after the run: ${show(time(() => writer.compact({ full: false })))}; size ${megabytes(writer.reader.sizeBytes())}`,
  );
  writer.release();

  const opened = time(() => openReader(options));
  const reader = opened.result;
  say(`open: ${show(opened)}`);
  const viewed = time(() => reader.openTree(LIVE)!);
  const view = viewed.result;
  say(`open tree of ${view.files.length} files, ${view.info.chunkCount} chunks: ${show(viewed)}, ${memory()}`);
  const query = Float32Array.from({ length: DIMS }, () => random() - 0.5);
  say(`vectors, load and first scan: ${show(time(() => reader.scoreVectors(view, query)))}, ${memory()}`);
  say(`vectors, scan: ${summary(Array.from({ length: 60 }, () => time(() => reader.scoreVectors(view, query))))}`);
  const terms = [...new Set(Array.from({ length: 300 }, () => word(draw())))];
  const lookups = terms.map((term) => time(() => reader.postings('text', term)));
  const found = lookups.reduce((sum, { result }) => sum + result.docs.length, 0);
  say(`postings of a term, ${Math.round(found / terms.length)} on average: ${summary(lookups)}`);
  const names = time(() => reader.allTerms('symbol'));
  say(`all ${names.result.length} symbol names: ${show(names)}`);

  const second = openWriter(options, { owner: 'bench', graceMs: 0 });
  const costs: Record<string, Timed<unknown>[]> = { write: [], publish: [], 'open tree again': [], merge: [] };
  for (let i = 0; i < 60; i++) {
    const n = Math.floor(random() * files.length);
    const made = makeBatch(n, 1, `change ${i}`);
    files[n] = made.files[0]!;
    const derive = () => {
      second.findContents(made.files);
      second.write(made.batch);
      second.flush();
    };
    costs.write!.push(time(derive));
    costs.publish!.push(time(() => second.publish({ ...draft, files })));
    costs['open tree again']!.push(time(() => reader.openTree(LIVE)));
    costs.merge!.push(time(() => second.compact({ full: false })));
  }
  for (const [name, samples] of Object.entries(costs)) say(`one-file change, ${name}: ${summary(samples)}`);
  const compacted = time(() => second.compact({ full: true }));
  const { contents, bytes } = compacted.result;
  say(
    `full compaction: ${show(compacted)}, ${contents} contents and ${megabytes(bytes)} freed, size ${megabytes(second.reader.sizeBytes())}`,
  );
  second.release();
  reader.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
