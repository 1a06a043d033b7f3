import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteSink, ByteSource } from './byte-sink.ts';

test('ByteSource reads every varint below 2^32 and every string that ByteSink wrote', () => {
  const item = fc.oneof(
    fc.nat(0xffffffff),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary', minLength: 30 }),
  );
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const sink = new ByteSink(1);
      for (const each of items) typeof each === 'number' ? sink.varint(each) : sink.units(each, 0);
      const source = new ByteSource(sink.take());
      for (const each of items) assert.equal(typeof each === 'number' ? source.varint() : source.units(), each);
      assert.equal(source.position, source.bytes.length);
    }),
  );
});

test('a lone surrogate is written and read unchanged', () => {
  const sink = new ByteSink();
  sink.units('a\ud800b', 0);
  assert.equal(new ByteSource(sink.take()).units(), 'a\ud800b');
});
