import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';
import type { CorpusStatistics } from '../../model/records/corpus-statistics.ts';
import { understand } from '../query/understand-query.ts';
import { scoreFiles } from './score-files.ts';
import { treeCorpus } from './tree-corpus.ts';

const API = {
  'orders.ts':
    '/** Places an order and charges the card. */\nexport function placeOrder(card: string) {\n  return card;\n}\n',
  'users/list.ts': '/** Lists users. */\nexport function listUsers() {\n  return [];\n}\n',
};
const WEB = {
  'cart.ts': '/** Shows the order in the cart. */\nexport function showOrder() {\n  return 1;\n}\n',
  'pages/card.ts': 'export function card(order: number) {\n  return order;\n}\n',
  'pages/home.ts': 'export const title = "Shop";\n',
};

function below(folder: string, files: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}

async function treeOf(files: Readonly<Record<string, string>>) {
  const space = workspace(files);
  await space.engine.index(space.root);
  return { ...(await space.openTree()), close: () => space.close() };
}

/** Merges corpora: sums counts and weighs averages by their counts. */
function mergeCorpora(parts: readonly CorpusStatistics[]): CorpusStatistics {
  const sum = (of: (part: CorpusStatistics) => number) => parts.reduce((total, part) => total + of(part), 0);
  const files = sum((part) => part.files);
  const chunks = sum((part) => part.chunks);
  const perChunk = (field: 'body' | 'names' | 'docs') =>
    sum((part) => part.averageTerms[field] * part.chunks) / Math.max(1, chunks) || 1;
  const deepest = Math.max(0, ...parts.map(({ filesByDepth }) => filesByDepth.length));
  return {
    files,
    chunks,
    averageTerms: {
      body: perChunk('body'),
      names: perChunk('names'),
      docs: perChunk('docs'),
      file: sum((part) => part.averageTerms.file * part.files) / Math.max(1, files) || 1,
    },
    filesByDepth: Array.from({ length: deepest }, (_, depth) => sum((part) => part.filesByDepth[depth] ?? 0)),
    chunksWith: (term) => sum((part) => part.chunksWith(term)),
    pathsWith: (term) => sum((part) => part.pathsWith(term)),
    contentsReferring: (name) => sum((part) => part.contentsReferring(name)),
  };
}

test('a tree with the merged counts of two trees scores words as one tree with the files of both', async () => {
  const [api, web, both] = await Promise.all([
    treeOf(below('x', API)),
    treeOf(below('x', WEB)),
    treeOf({ ...below('x', API), ...below('x', WEB) }),
  ]);
  try {
    const corpus = mergeCorpora([treeCorpus(api.reader, api.view), treeCorpus(web.reader, web.view)]);
    assert.equal(corpus.files, both.view.files.length);
    const { terms } = understand('charge the card of an order');
    const scored = ({ reader, view }: Pick<typeof api, 'reader' | 'view'>) => {
      const scores = scoreFiles({ reader, view, terms, vector: null, masks: { files: null, chunk: null } });
      const of = (file: number) =>
        [scores.best, scores.names, scores.docs, scores.file, scores.path].map((c) => c[file]!);
      return new Map(view.files.map(({ path }, file) => [path, of(file).map((value) => value.toFixed(4))]));
    };
    const expected = scored(both);
    for (const { reader, view } of [api, web])
      for (const [path, values] of scored({ reader, view: { ...view, corpus } }))
        assert.deepEqual(values, expected.get(path), path);
    assert.notDeepEqual(
      scored(api).get('x/orders.ts'),
      expected.get('x/orders.ts'),
      'its own counts give other scores',
    );
  } finally {
    await Promise.all([api, web, both].map((tree) => tree.close()));
  }
});
