/** Every requirement is named by at least one test. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PENDING, PREFIXES, REQUIREMENTS } from './requirements.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const ID = new RegExp(`\\b(?:${Object.keys(PREFIXES).join('|')})-\\d{2}\\b`, 'g');

/** Ids in the titles of tests: `test('… (GC-01, GC-02)', …`. */
function citedIds(): Set<string> {
  const cited = new Set<string>();
  for (const folder of ['test/contracts', 'src/contracts', 'src/transports'])
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.test.ts')) continue;
      const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8');
      for (const match of text.matchAll(/\btest\(\s*(['"`])([\s\S]*?)\1\s*,/g))
        for (const id of match[2]!.match(ID) ?? []) cited.add(id);
    }
  return cited;
}

test('every requirement is cited', () => {
  const cited = citedIds();
  const open = Object.keys(REQUIREMENTS).filter((id) => !PENDING.includes(id));
  assert.deepEqual(
    open.filter((id) => !cited.has(id)).map((id) => `${id} ${REQUIREMENTS[id]}`),
    [],
  );
});

test('every cited id is a requirement', () => {
  assert.deepEqual(
    [...citedIds()].filter((id) => !(id in REQUIREMENTS)),
    [],
  );
});

test('ids are known profiles, numbered without gaps', () => {
  for (const prefix of Object.keys(PREFIXES)) {
    const numbers = Object.keys(REQUIREMENTS)
      .filter((id) => id.startsWith(`${prefix}-`))
      .map((id) => Number(id.slice(3)));
    assert.deepEqual(
      numbers,
      numbers.map((_, i) => i + 1),
    );
  }
});
