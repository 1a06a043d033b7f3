import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHUNK_TYPES } from '../../model/records/chunk.ts';
import { SYMBOL_KINDS, type SymbolKind } from '../../model/records/symbol.ts';
import type { StoredDetail, StoreReader, TreeView } from '../../store/store.ts';
import { compileFilters } from './search-filter.ts';

test('the kind filter finds packed definitions and reads each content at most once', () => {
  const kinds: SymbolKind[] = ['function', 'constant', 'class', 'method', 'function'];
  // Of the file's symbols the first chunk shows one, the second a pair, the last two chunks one each.
  const chunks = [
    { symbol: 0, symbolCount: 1 },
    { symbol: 1, symbolCount: 2 },
    { symbol: 3, symbolCount: 1 },
    { symbol: 4, symbolCount: 1 },
  ];
  const view = {
    files: [{ path: 'a.ts' }],
    contentOf: [0],
    firstChunkOf: Int32Array.of(0),
    chunkCountOf: Int32Array.of(chunks.length),
    firstSymbolOf: Int32Array.of(0),
    fileOfChunk: new Int32Array(chunks.length),
    fileOfSymbol: new Int32Array(kinds.length),
    chunkType: new Int8Array(chunks.length).fill(CHUNK_TYPES.indexOf('definitions')),
    chunkKind: Int8Array.from(chunks, ({ symbol }) => SYMBOL_KINDS.indexOf(kinds[symbol]!)),
    chunkSymbol: Int32Array.from(chunks, ({ symbol }) => symbol),
  } as unknown as TreeView;
  let opened = 0;
  const detail = { chunks, symbol: (ordinal: number) => ({ kind: kinds[ordinal] }) } as unknown as StoredDetail;
  const reader = {
    detail: () => {
      opened++;
      return detail;
    },
  } as unknown as StoreReader;
  const shown = (kind: string) => {
    const { chunk } = compileFilters({ kinds: [kind] }, { view, reader, moduleOf: () => '' });
    return [...chunks.keys()].filter((id) => chunk!(id));
  };
  assert.deepEqual(shown('class'), [1]);
  assert.deepEqual(shown('constant'), [1]);
  assert.deepEqual(shown('method'), [2]);
  assert.equal(opened, 1);
});
