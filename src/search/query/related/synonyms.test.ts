import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { textTerms } from '../../../model/text/terms.ts';
import { loadSynonyms } from './synonyms.ts';

const file = join(dirname(fileURLToPath(import.meta.url)), '../../../../models/synonyms.tsv');
const synonyms = loadSynonyms(file);
const term = (word: string) => textTerms(word)[0]!;
const near = (word: string) => synonyms.of(term(word)).map((synonym) => synonym.term);

test('the synonyms contain abbreviations and synonyms in both directions, and no opposites', () => {
  for (const [a, b] of [
    ['auth', 'authentication'],
    ['cfg', 'config'],
    ['remove', 'delete'],
    ['msg', 'message'],
    ['db', 'database'],
    ['dir', 'directory'],
    ['repo', 'repository'],
  ] as const)
    assert.ok(near(a).includes(term(b)) && near(b).includes(term(a)), `${a}: ${near(a)}; ${b}: ${near(b)}`);
  for (const [a, b] of [
    ['add', 'remove'],
    ['read', 'write'],
    ['get', 'set'],
    ['encode', 'decode'],
    ['open', 'close'],
  ] as const)
    assert.ok(!near(a).includes(term(b)), `${a} is not ${b}`);
});

test('every line of the file can be looked up, including the first and the last', () => {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  for (const line of [lines[0]!, lines[lines.length >> 1]!, lines.at(-1)!]) {
    const found = synonyms.of(line.split('\t')[0]!);
    assert.ok(found.length > 0, line);
    for (const { similarity } of found) assert.ok(similarity > 0 && similarity <= 1, line);
  }
  assert.deepEqual(
    lines.filter((line, i) => i > 0 && lines[i - 1]! >= line),
    [],
    'lines are in order',
  );
});

test('an unknown word has no synonyms, and without the file no word has', () => {
  assert.deepEqual(synonyms.of('zzyzx'), []);
  assert.deepEqual(synonyms.of(''), []);
  assert.deepEqual(loadSynonyms(`${file}.absent`).of('auth'), []);
});
