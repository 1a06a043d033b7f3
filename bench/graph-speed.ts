/**
 * `npm run bench:graph:speed -- --repo DIR`: what the graph costs beside a full index, after a change of one file, and
 * for "what calls X". Works on a copy of DIR with a data folder of its own.
 */
import { appendFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadStaticModel } from '../src/embed/index.ts';
import { createEngine } from '../src/engine/index.ts';
import { SymbolGraph, type SymbolPlace } from '../src/graph/index.ts';
import type { ReferenceKind } from '../src/model/records/symbol.ts';
import { openReader } from '../src/store/index.ts';
import { engineConfig } from '../test/engine-config.ts';
import { copyRepository } from './copy-repository.ts';

const SAMPLE = 200;
const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
const repo = process.argv[process.argv.indexOf('--repo') + 1];
if (!process.argv.includes('--repo') || !repo) {
  console.error('usage: npm run bench:graph:speed -- --repo DIR');
  process.exit(2);
}
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-speed-')));
const root = join(folder, 'project');
copyRepository(repo, root);
const config = engineConfig(join(folder, 'home'));
const engine = createEngine(config);
const timed = async <T>(work: () => T | Promise<T>): Promise<[T, number]> => {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
};
const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
const percentile = (values: readonly number[], share: number) => values[Math.floor((values.length - 1) * share)]!;
try {
  const [, indexing] = await timed(() => engine.index(root));
  const { id, dims } = loadStaticModel(config.modelFolder);
  const reader = openReader({ folder: (await engine.project(root)).storeFolder, modelId: id, dims });
  const open = () => reader.openTree({ root, ref: 'live' })!;
  const view = open();
  console.log(`${view.files.length} files, ${view.info.lineCount} lines; full index ${ms(indexing)}`);

  const [graph, building] = await timed(() => {
    const made = new SymbolGraph(reader, view);
    // Everything that a graph keeps: the table of each content, and what each import means.
    view.files.forEach((_, file) => {
      made.files.importedBy(file);
    });
    return made;
  });
  console.log(
    `graph: every table and import ${ms(building)}, ${((100 * building) / indexing).toFixed(1)} % of a full index`,
  );

  const places = sample(view.files.length, (file) =>
    reader
      .detail(view.contentOf[file]!)
      .symbols.flatMap(({ kind }, ordinal) => (kind === 'function' || kind === 'method' ? [{ file, ordinal }] : [])),
  );
  const times = places.map((place) => {
    const start = performance.now();
    graph.references(place, CALLS);
    return performance.now() - start;
  });
  times.sort((a, b) => a - b);
  console.log(
    `what calls X, ${times.length} functions: p50 ${ms(percentile(times, 0.5))}, p90 ${ms(percentile(times, 0.9))}`,
  );

  const { path } = view.files[places[0]!.file]!;
  appendFileSync(join(root, path), '\n');
  await engine.index(root);
  const next = open();
  const [, updating] = await timed(() => {
    const made = new SymbolGraph(reader, next, graph);
    const file = next.indexOfPath(path);
    made.files.importedBy(file);
    for (const reference of reader.detail(next.contentOf[file]!).references) made.resolve({ file, reference });
  });
  console.log(`after a change of ${path}: ${ms(updating)}, everything in it resolved anew`);
  reader.close();
} finally {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The same ones for the same tree. */
function sample(files: number, candidates: (file: number) => readonly SymbolPlace[]): SymbolPlace[] {
  const places: SymbolPlace[] = [];
  let seed = 7;
  for (let tries = 0; places.length < SAMPLE && tries < SAMPLE * 50; tries++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const found = candidates(Math.floor((seed / 2_147_483_648) * files));
    if (found.length > 0) places.push(found[seed % found.length]!);
  }
  return places;
}
