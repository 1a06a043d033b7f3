/** Ids of earlier answers lead back to their symbols and texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';
import { earlierStableSymbolId, formatHandle } from '../../model/records/ids.ts';
import type { SymbolRecord } from '../../model/records/symbol.ts';
import { placesOfHandle } from './handles.ts';
import { issueStableId, stableIdIn } from './issued-ids.ts';
import { locate, space } from './locate.fixture.ts';

test('a handle finds its symbol again, and an unknown handle finds nothing', async () => {
  const [session] = await locate({ name: 'Session' });
  for (const name of [session!.symbolId, session!.stableId])
    assert.deepEqual(
      (await locate({ name })).map(({ qualifiedName }) => qualifiedName),
      ['Session'],
    );
  assert.deepEqual(await locate({ name: `b3:${'0'.repeat(64)}` }), []);
});

test('a result id finds all symbols that the result showed, the one that named it first', async () => {
  const search = async (query: string) => (await space.engine.search(space.root, { query, limit: 20 })).hits;
  let packed = 0;
  for (const query of ['Session', 'reload', 'parse', 'settings', 'close the session']) {
    for (const { resultId, resultType, symbol, symbolNames } of await search(query)) {
      // An overview is a text about all of them.
      if (resultType === 'file') continue;
      const found = await locate({ name: resultId, limit: 100 });
      assert.equal(found[0]?.symbolId, symbol?.symbolId, `${query}: ${resultId}`);
      assert.deepEqual(found.map(({ name }) => name).sort(), [...symbolNames].sort());
      if (symbolNames.length > 1) packed++;
    }
  }
  assert.ok(packed > 0);
});

test('a result id of another process finds all symbols of its chunk', () => {
  const symbols = ['Alpha', 'Beta', 'Gamma'].map((name) => ({ name }));
  const detail = {
    symbols,
    symbol: (ordinal: number) => symbols[ordinal],
    chunks: [
      { type: 'symbols', symbol: -1, symbolCount: 3 },
      { type: 'definitions', symbol: 1, symbolCount: 2 },
    ],
  };
  const blobId = 'c'.repeat(40);
  const presenter = {
    reader: { detail: () => detail },
    view: { files: [{ blobId }, { blobId: 'd'.repeat(40) }, { blobId }], contentOf: [0, 1, 0] },
  } as unknown as Parameters<typeof placesOfHandle>[0];
  assert.deepEqual(placesOfHandle(presenter, formatHandle('snip', blobId, 1)), [
    { file: 0, ordinal: 1 },
    { file: 2, ordinal: 1 },
    { file: 0, ordinal: 2 },
    { file: 2, ordinal: 2 },
  ]);
  assert.deepEqual(placesOfHandle(presenter, formatHandle('snip', blobId, 0)), []);
  assert.deepEqual(placesOfHandle(presenter, formatHandle('snip', blobId, 7)), []);
});

test('the id of a result without symbols finds its text', async () => {
  const { hits } = await space.engine.search(space.root, { query: 'installation notes', limit: 20 });
  const page = hits.find(({ symbol }) => symbol === null)!;
  const { symbols, chunks } = await space.engine.locate(space.root, { name: page.resultId });
  assert.deepEqual(symbols, []);
  assert.deepEqual(
    chunks.map(({ path, startLine, endLine, content }) => [path, startLine, endLine, content]),
    [[page.path, page.startLine, page.endLine, page.content]],
  );
});

test('a stable id that an answer issued is found by its name, and any other by comparing all symbols', () => {
  const opened: number[] = [];
  const record = (name: string) => ({ name, kind: 'class', qualifiedName: name, signature: name, parent: -1 });
  const details = [record('Alpha'), record('Beta'), record('Gamma')];
  const files = ['a.ts', 'b.ts', 'c.ts'].map((path) => ({ language: 'typescript', path }));
  const presenter = {
    reader: {
      detail: (row: number) => {
        opened.push(row);
        return { package: '', symbols: [details[row]!] };
      },
      postings: (_space: string, term: string) => ({
        docs: details.flatMap(({ name }, i) => (name.toLowerCase() === term ? [i] : [])),
      }),
    },
    view: { files, contentOf: [0, 1, 2], fileOfSymbol: [0, 1, 2], filesOfContent: (row: number) => [row] },
  } as unknown as Parameters<typeof placesOfHandle>[0];
  const [alpha, beta] = details as unknown as SymbolRecord[];
  assert.deepEqual(
    placesOfHandle(presenter, issueStableId({ language: 'typescript', path: 'b.ts', package: '' }, beta!, null)),
    [{ file: 1, ordinal: 0 }],
  );
  assert.deepEqual(opened, [1]);
  opened.length = 0;
  assert.deepEqual(
    placesOfHandle(presenter, stableIdIn({ language: 'typescript', path: 'a.ts', package: '' }, alpha!, null)),
    [{ file: 0, ordinal: 0 }],
  );
  assert.deepEqual(opened, [0, 1, 2]);
});

test('a stable id from before modules were part of it finds every symbol with that id', () => {
  const record = { name: 'main', kind: 'function', qualifiedName: 'main', signature: 'fn main()', parent: -1 };
  const files = ['examples/chat.rs', 'examples/echo.rs'].map((path) => ({ language: 'rust', path }));
  const presenter = {
    reader: { detail: () => ({ package: '', symbols: [record] }), postings: () => ({ docs: [] }) },
    view: { files, contentOf: [0, 1], fileOfSymbol: [0, 1], filesOfContent: (row: number) => [row] },
  } as unknown as Parameters<typeof placesOfHandle>[0];
  const symbol = record as unknown as SymbolRecord;
  assert.deepEqual(placesOfHandle(presenter, earlierStableSymbolId('rust', '', symbol)), [
    { file: 0, ordinal: 0 },
    { file: 1, ordinal: 0 },
  ]);
  const now = stableIdIn({ language: 'rust', path: 'examples/echo.rs', package: '' }, symbol, null);
  assert.deepEqual(placesOfHandle(presenter, now), [{ file: 1, ordinal: 0 }]);
});

test('symbols of identical files are all listed, each with its own id', async () => {
  const text = 'export class Twin {\n  run() {}\n}\n';
  const twins = workspace({ 'a/twin.ts': text, 'b/twin.ts': text });
  await twins.engine.index(twins.root);
  const { symbols } = await twins.engine.locate(twins.root, { name: 'Twin' });
  assert.deepEqual(
    symbols.filter(({ match }) => match === 'exact').map(({ path }) => path),
    ['a/twin.ts', 'b/twin.ts'],
  );
  assert.equal(new Set(symbols.map(({ stableId }) => stableId)).size, 2);
  twins.close();
});
