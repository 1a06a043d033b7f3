/**
 * Is the right file still found? Questions about the sources of pinned packages, asked of the real engine with default
 * settings. The rank of each answer is kept in ranks.tsv, so that a change of ranking shows as a diff:
 * `UPDATE_SNAPSHOTS=1 npm test -- relevance` writes it anew.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { ndcg } from '../../src/model/text/ndcg.ts';
import { workspace } from '../workspace.ts';

interface Corpus {
  readonly package: string;
  readonly sources: readonly string[];
  readonly questions: readonly { readonly query: string; readonly expect: string | readonly string[] }[];
}

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, '../../node_modules');
const snapshot = join(here, 'ranks.tsv');
/** What was reached when the questions were written, less a little: a change that falls below it has broken something. */
const FLOOR = 0.73;

test('the right files are found, where they were found before', { timeout: 120_000 }, async () => {
  const corpora = parse(readFileSync(join(here, 'questions.yml'), 'utf8')) as Corpus[];
  const lines = ['package\tquestion\tranks'];
  const scores: number[] = [];
  const space = workspace({});
  try {
    // One engine for all, so that its workers stay warm.
    const engine = space.anotherEngine({ inline: false });
    for (const corpus of corpora) {
      const root = join(space.root, corpus.package);
      for (const source of corpus.sources)
        cpSync(join(packages, corpus.package, source), join(root, source), { recursive: true });
      await engine.index(root);
      for (const { query, expect } of corpus.questions) {
        const wanted = [expect].flat();
        for (const path of wanted) assert.ok(existsSync(join(root, path)), `${corpus.package} has no ${path}`);
        const { hits } = await engine.search(root, { query, limit: 10 });
        const found = [...new Set(hits.map(({ path }) => path))];
        const ranks = wanted.map((path) => found.indexOf(path) + 1);
        scores.push(ndcg(ranks));
        lines.push([corpus.package, query, ranks.map((rank) => rank || '-').join(' ')].join('\t'));
      }
    }
  } finally {
    await space.close();
  }
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  lines.push(`all\tNDCG@10\t${mean.toFixed(3)}`);
  const actual = `${lines.join('\n')}\n`;
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(snapshot, actual);
  assert.ok(mean >= FLOOR, `NDCG@10 ${mean.toFixed(3)} is under ${FLOOR}`);
  assert.equal(actual, readFileSync(snapshot, 'utf8'), 'ranks changed: UPDATE_SNAPSHOTS=1 npm test -- relevance');
});
