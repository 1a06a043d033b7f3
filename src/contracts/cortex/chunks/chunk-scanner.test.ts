import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChunkScanner } from './chunk-scanner.ts';
import { readNumbers, readWithoutKernel } from './read-numbers.ts';

interface Scanned {
  readonly value: unknown;
  readonly embedding: number[] | null;
}

/** Reads a text in pieces of the size given. */
function scan(text: string, size = 7): { readonly entries: Scanned[]; readonly header: object } {
  const entries: Scanned[] = [];
  const scanner = new ChunkScanner(({ value, embedding }) => {
    entries.push({ value, embedding: embedding && [...embedding] });
  });
  const bytes = Buffer.from(text);
  const piece = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(piece, 0, at);
    scanner.push(piece.subarray(0, length));
  }
  scanner.finish();
  return { entries, header: scanner.header };
}

/** CX-30: chunk files are read as a stream. */
test('the scanner reads the same entries from pieces of any size, with or without a header', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(
      fc.array(json, { maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      (list, size, alone) => {
        const text = JSON.stringify(
          alone ? list : { _metadata: { model: 'm' }, other: [1], chunks: list },
          null,
          size % 3,
        );
        const { entries, header } = scan(text, size);
        assert.deepEqual(
          entries.map(({ value }) => value),
          JSON.parse(JSON.stringify(list)),
        );
        assert.deepEqual(header, alone ? {} : { model: 'm' });
      },
    ),
  );
});

test('the scanner reads short and long entries across the border of two pieces', () => {
  const list = Array.from({ length: 60 }, (_, i) => ({ id: `c${i}`, text: `${i}`.repeat((i * i * 37) % 30_000) }));
  const text = JSON.stringify({ _metadata: { model: 'm' }, chunks: list });
  for (const size of [17_000, 40_000, 111_111, text.length]) {
    const { entries } = scan(text, size);
    assert.deepEqual(
      entries.map(({ value }) => value),
      list,
      `pieces of ${size} bytes`,
    );
  }
});

test('the scanner reads each byte of a long entry once, however many pieces it has', () => {
  const text = 'say \\"[1, 2]\\" '.repeat(40_000);
  const list = [{ id: 'a', text, lists: Array.from({ length: 20_000 }, (_, i) => [i, [i, { i }]]) }, { id: 'b' }];
  const { entries } = scan(JSON.stringify(list), 4_096);
  assert.deepEqual(
    entries.map(({ value }) => value),
    list,
  );
  assert.throws(() => scan(`[{"id":"a","lists":${'[1,'.repeat(1_000_000)}`, 1 << 20), /ends too early/);
});

test('an embedding is read from its bytes, also beside texts that look like one', () => {
  const entry = {
    text: 'say "embedding": [1, 2] \\',
    embedding: [0.5, -1, 1e-3, 12],
    metadata: { end_line: 9, a: ['x'] },
  };
  const [{ value, embedding }] = scan(JSON.stringify([entry])).entries as [Scanned];
  const numbers = embedding ?? (value as typeof entry).embedding;
  assert.deepEqual(
    numbers.map((number) => Math.fround(number)),
    entry.embedding.map((number) => Math.fround(number)),
  );
  assert.equal((value as typeof entry).text, entry.text);
});

test('numbers are what JSON.parse makes of them, as float32', () => {
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), fc.integer());
  fc.assert(
    fc.property(fc.array(number, { minLength: 1 }), (list) => {
      const text = JSON.stringify(list);
      const read = readNumbers(Buffer.from(text), 0);
      assert.equal(read?.end, text.length);
      list.forEach((wanted, i) => {
        assert.ok(Math.abs(read!.values[i]! - wanted) <= Math.abs(wanted) * 1e-6 + 1e-30, `${wanted}`);
      });
    }),
  );
  for (const text of ['[01]', '[1.]', '[.5]', '[1 2]', '[1,]', '["1"]', '[null]', '[-]', '[1e]'])
    assert.equal(readNumbers(Buffer.from(text), 0), null, text);
});

test('numbers are the same with WebAssembly and without', () => {
  const digits = fc.tuple(fc.integer({ min: 0, max: 99 }), fc.stringMatching(/^[0-9]{1,20}$/), fc.boolean());
  const exponent = fc.oneof(
    fc.constant(''),
    fc.integer({ min: -50, max: 50 }).map((power) => `e${power}`),
  );
  const number = fc
    .tuple(digits, exponent)
    .map(([[whole, fraction, negative], power]) => `${negative ? '-' : ''}${whole}.${fraction}${power}`);
  fc.assert(
    fc.property(fc.array(number, { minLength: 1 }), fc.constantFrom(',', ', ', ',\n  '), (list, comma) => {
      const bytes = Buffer.from(`[${list.join(comma)}]`);
      const [fast, plain] = [readNumbers(bytes, 0)!, readWithoutKernel(bytes, 0)!];
      assert.deepEqual([...fast.values], [...plain.values]);
      assert.equal(fast.end, plain.end);
    }),
  );
});

test('a file that is no chunk file, or a truncated one, is refused', () => {
  const whole = JSON.stringify({ _metadata: { model: 'm' }, chunks: [{ id: 'a', text: 't', embedding: [1, 2] }] });
  for (let length = 0; length < whole.length; length++)
    assert.throws(() => scan(whole.slice(0, length)), `cut after ${length}`);
  for (const text of [
    '7',
    '{}',
    '{"chunks": 3}',
    `${whole}x`,
    '[{"a":1} {"b":2}]',
    '[,1]',
    '{"chunks" [1]}',
    '[{a:1}]',
  ])
    assert.throws(() => scan(text), `accepted: ${text}`);
});
