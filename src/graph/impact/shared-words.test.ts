import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedWords } from './shared-words.ts';
import { wordsOf } from './test-naming.ts';

const NAMES = ['JavaUtilConcurrentAtomic', 'MapAsArrayTypeAdapter', 'EnumTypeAdapter', 'JavaTime', 'Map'];
const words = new SharedWords(new Map(NAMES.map((name, file) => [file, wordsOf(name)])));
const order = (name: string) =>
  [...words.alike(wordsOf(name))].sort(([, a], [, b]) => b - a).map(([file]) => NAMES[file]);

test('tests that share rarer words with a name rank first, tests that share none are left out', () => {
  assert.deepEqual(order('atomicLongArrayAdapter'), [
    'MapAsArrayTypeAdapter',
    'JavaUtilConcurrentAtomic',
    'EnumTypeAdapter',
  ]);
  assert.deepEqual(order('ENUM_FACTORY'), ['EnumTypeAdapter']);
  assert.deepEqual(order('read'), []);
});

test('equal word lists have the highest similarity, and a common word lowers it', () => {
  const alike = (name: string, file: number) => words.alike(wordsOf(name)).get(file) ?? 0;
  assert.ok(Math.abs(alike('mapAsArrayTypeAdapter', 1) - 1) < 1e-9);
  assert.ok(alike('atomicValue', 0) > alike('javaValue', 0));
});

test('a suite of one test can share words with a name', () => {
  const alone = new SharedWords(new Map([[7, ['map']]]));
  assert.deepEqual([...alone.alike(['map'])], [[7, 1]]);
});
