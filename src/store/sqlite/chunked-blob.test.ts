import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import type { ContentDetail } from '../../model/records/chunk.ts';
import type { Reference, SymbolRecord } from '../../model/records/symbol.ts';
import { linesOf } from '../../model/text/lines.ts';
import { decodeDetail, encodeDetail } from '../text/packed-detail.ts';
import { ChunkedText, packText, unpackText } from '../text/packed-text.ts';
import { TextCache } from '../text/text-cache.ts';
import { ChunkedBlob, deflate, inflate, inflateToText, packChunkedBlob } from './chunked-blob.ts';
import { DamagedDataError } from './store-errors.ts';

test('packed texts of any length, line ends and line lengths are read whole and by lines', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom('', '\r', 'größer', '日本語'),
    fc.integer({ min: 1, max: 20_000 }).map((length) => 'x'.repeat(length)),
  );
  const texts = fc.record({
    lines: fc.array(line, { maxLength: 12 }),
    times: fc.integer({ min: 1, max: 60 }),
    ended: fc.boolean(),
    from: fc.nat(800),
    count: fc.nat(60),
  });
  fc.assert(
    fc.property(texts, ({ lines, times, ended, from, count }) => {
      const text = Array.from({ length: times }, () => lines.join('\n')).join('\n') + (ended ? '\n' : '');
      const packed = packText(Buffer.from(text));
      assert.equal(unpackText(packed), text);
      const parts = new ChunkedText(packed);
      for (const start of [1, from + 1, 1])
        assert.equal(
          parts.lines(start, start + count, () => packed),
          linesOf(text, start, start + count),
        );
    }),
    { numRuns: 200 },
  );
});

test('invalid UTF-8 gives the same replacement characters in one stream and in parts', () => {
  const bytes = Buffer.alloc(40_000, Buffer.from([0xc3, 0x28, 0xff, 0x0a, 0xe6, 0x97, 0x0a]));
  const packed = packText(bytes);
  assert.ok(ChunkedBlob.parse(packed), 'long enough for parts');
  assert.equal(unpackText(packed), bytes.toString());
  const shown = new ChunkedText(packed).lines(5000, 5003, () => packed);
  assert.equal(shown, linesOf(bytes.toString(), 5000, 5003));
});

test('a packed detail is decoded unchanged, in one stream and in parts, by symbol() and by symbols', () => {
  for (const count of [0, 3, 15, 16, 17, 300]) {
    const symbols = Array.from(
      { length: count },
      (_, i): SymbolRecord => ({
        name: `name${i}`,
        kind: i % 2 ? 'method' : 'class',
        parent: i % 2 ? i - 1 : -1,
        qualifiedName: i % 2 ? `name${i - 1}.name${i}` : `name${i}`,
        signature: `sig "${i}" ${'x'.repeat(40)}`,
        doc: 'ü\n',
        visibility: 'internal',
        fullStartLine: i * 3 + 1,
        startLine: i * 3 + 2,
        endLine: i * 3 + 3,
        nameLine: i * 3 + 2,
        nameColumn: 5,
      }),
    );
    const references = symbols.map(
      (symbol, i): Reference => ({ kind: 'call', name: symbol.name, receiver: '', line: i + 1, column: 2, from: i }),
    );
    const detail: ContentDetail = {
      language: 'typescript',
      package: 'p',
      lineCount: count * 3,
      symbols,
      references,
      imports: [],
      sections: [],
      problems: [],
      chunks: [
        {
          type: 'definitions',
          startLine: 1,
          endLine: 3,
          symbol: 0,
          symbolCount: 1,
          part: 0,
          title: 't',
          tags: ['a', 'b'],
        },
      ],
      ddd: [],
    };
    const packed = encodeDetail(detail);
    assert.equal(ChunkedBlob.parse(packed) !== null, count > 100);
    const alone = decodeDetail(packed);
    for (const ordinal of [count - 1, 0, count >> 1]) assert.deepEqual(alone.symbol(ordinal), symbols[ordinal]);
    for (const ordinal of [-1, count, Number.NaN]) assert.equal(alone.symbol(ordinal), undefined);
    const { symbol: _one, ...whole } = decodeDetail(packed);
    assert.deepEqual(whole, detail);
  }
});

test('cached parts of a text are not read again, and the least recently used ones are evicted first', () => {
  const text = Array.from({ length: 4000 }, (_, i) => `line ${i + 1} ${'x'.repeat(90)}`).join('\n');
  const packed = packText(Buffer.from(text));
  const cache = new TextCache();
  let reads = 0;
  const shown = (row: number, start: number) =>
    cache.lines(row, start, start + 9, () => {
      reads++;
      return packed;
    });
  for (const [start, expected] of [
    [1, 1],
    [5, 1],
    [3000, 2],
    [3000, 2],
    [1, 2],
  ] as const) {
    assert.equal(shown(1, start), linesOf(text, start, start + 9));
    assert.equal(reads, expected, `after line ${start}`);
  }
  for (let row = 2; row < 800; row++) shown(row, 1);
  reads = 0;
  shown(799, 1);
  assert.equal(reads, 0);
  shown(1, 1);
  assert.equal(reads, 1);
});

test('a short piece is a stored block, and a longer stream that begins like one is inflated', () => {
  for (const length of [0, 1, 63, 64, 65, 1000]) {
    const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 7919) & 0xff));
    const packed = deflate(bytes);
    assert.deepEqual(inflateRawSync(packed), bytes);
    assert.deepEqual(Buffer.from(inflate(packed)), bytes);
  }
  const two = Buffer.concat([Buffer.from([0, 1, 0, 0xfe, 0xff, 65]), Buffer.from([1, 1, 0, 0xfe, 0xff, 66])]);
  assert.equal(inflate(two).toString(), 'AB');
  assert.throws(() => inflate(Buffer.from([1, 2, 0, 0xfe, 0xff, 65])), { code: 'Z_DATA_ERROR' });
});

test('pieces of any length are inflated one after another, also after a damaged piece', () => {
  const piece = (length: number) => Buffer.from(Array.from({ length }, (_, i) => `${(i * i) % 97} ü`).join('\n'));
  for (const length of [100, 30_000, 1, 2_000, 8_192, 10_923]) {
    const bytes = piece(length);
    const packed = deflate(bytes);
    const kept = inflate(packed);
    assert.equal(inflateToText(packed), bytes.toString(), `of ${bytes.length} bytes`);
    assert.throws(() => inflate(packed.subarray(0, packed.length - 2)), { code: 'Z_BUF_ERROR' });
    assert.throws(() => inflateToText(Buffer.concat([Buffer.from([7]), packed])), { code: 'Z_DATA_ERROR' });
    assert.equal(inflate(deflate(piece(500))).toString(), piece(500).toString());
    assert.deepEqual(kept, bytes, 'what was handed out stays as it was');
  }
});

test('a blob whose part lengths do not match its size throws DamagedDataError', () => {
  const packed = packChunkedBlob([Buffer.from('one'), Buffer.from('two')]);
  assert.throws(() => ChunkedBlob.parse(packed.subarray(0, packed.length - 1)), DamagedDataError);
});
