/**
 * The laid-out benchmark folders as the engine would embed them: every chunk's terms and weights, recorded from the
 * indexer itself, and the questions. One JSON file per repository in OUT; training/evaluate.py scores a model on them.
 * usage: node --import tsx training/bench-chunks.ts BENCH TREES OUT
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { chunkFile, markDddRoles } from '../src/chunk/index.ts';
import type { TermEmbedder } from '../src/embed/embedder.ts';
import { BatchBuilder } from '../src/indexing/deriving/batch-builder.ts';
import { LinedText } from '../src/indexing/deriving/lined-text.ts';
import { createParser, detectLanguage, isAmbiguous } from '../src/languages/index.ts';
import { linkGrammars } from '../src/languages/runtime/testing/grammar-folder.ts';
import { forEachIdentifier, identifierTerms } from '../src/model/text/terms.ts';

const [bench, trees, out] = process.argv.slice(2) as [string, string, string];
const folders = linkGrammars();

interface Recorded {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly type: string;
  terms: string[];
  weights: number[];
}

let recorded: { terms: string[]; weights: number[] }[] = [];
const recorder = {
  id: 'recorder',
  dims: 16,
  embedTerms: () => undefined,
  rowOf: () => -1,
  embedRows(_rows: Int32Array, terms: readonly string[], weights: Float32Array, count: number) {
    recorded.push({
      terms: terms.slice(0, count),
      weights: Array.from(weights.subarray(0, count), (w) => +w.toFixed(3)),
    });
  },
  embed: () => Promise.resolve([]),
  close: () => Promise.resolve(),
} satisfies TermEmbedder;

mkdirSync(out, { recursive: true });
const parser = createParser(folders);
for (const repo of JSON.parse(readFileSync(join(bench, 'repos.json'), 'utf8')) as {
  name: string;
  language: string;
}[]) {
  const folder = join(trees, repo.name);
  const chunks: Recorded[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const file = relative(folder, path);
    if (/(^|\/)(\.git|node_modules|vendor)\//.test(file) || statSync(path).size > 1_000_000) continue;
    const bytes = readFileSync(path);
    if (bytes.subarray(0, 8000).includes(0)) continue;
    const text = bytes.toString('utf8');
    const language = detectLanguage(file, isAmbiguous(file) ? text.slice(0, 8192) : '');
    if (!language) continue;
    const loaded = await parser.load(language).then(
      () => true,
      () => false,
    );
    const parsed = parser.parse({ language: loaded ? language : null, text });
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    const made = chunkFile(parsed, lines, language?.family ?? 'code');
    recorded = [];
    new BatchBuilder(recorder).add({
      blobId: '0'.repeat(40),
      language: language?.id ?? 'text',
      source: new LinedText(text, bytes),
      parsed,
      chunks: made,
      ddd: markDddRoles(parsed),
    });
    made.forEach((chunk, i) => {
      chunks.push({ file, start: chunk.startLine, end: chunk.endLine, type: chunk.type, ...recorded[i]! });
    });
  }
  const annotations = JSON.parse(readFileSync(join(bench, 'annotations', `${repo.name}.json`), 'utf8'));
  const queries = (Array.isArray(annotations) ? annotations : annotations.queries) as { query: string }[];
  const asked = queries.map((q) => {
    const terms: string[] = [];
    const wholes: string[] = [];
    forEachIdentifier(q.query, (identifier) => {
      const split = identifierTerms(identifier);
      terms.push(...split.parts);
      if (split.whole) wholes.push(split.whole);
    });
    return { ...q, terms, wholes };
  });
  writeFileSync(join(out, `${repo.name}.json`), JSON.stringify({ ...repo, chunks, queries: asked }));
  console.error(repo.name, chunks.length, asked.length);
}
