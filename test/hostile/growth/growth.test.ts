/** No scanner, matcher or parser of settings does work that grows faster than the text that a stranger gives it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chosenTexts } from './hostile-texts.ts';
import { languageScanners } from './language-scanners.ts';
import { findSteepGrowth } from './measure-growth.ts';
import { NOT_ATTACKED } from './not-attacked.ts';
import { otherScanners } from './other-scanners.ts';
import type { Scanner } from './scanner.ts';

const isFull = process.env.HOSTILE === 'full' || process.env.HOSTILE === 'all';
/** So many texts a scanner take minutes; `HOSTILE=all` tries every text, which takes a quarter of an hour. */
const TEXTS = process.env.HOSTILE === 'all' ? Number.POSITIVE_INFINITY : 80;
const src = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Rooms whose exports read text that a repository or a client chose. Questions are attacked as a whole, at their entry. */
const ROOMS = [
  ...[
    'chunk',
    'cli/config',
    'graph/joins',
    'graph/reading',
    'languages/runtime',
    'languages/script',
    'memory/mining',
    'model/secrets',
  ],
  ...['model/highlight', 'model/untrusted', 'transports/protocol', 'walk/modules', 'walk/rules'],
];
/** A function that takes a text, by what its first or second parameter is called. */
const TAKES_TEXT =
  /^export (?:async )?function (\w+)\(\s*(?:\w+: string,\s*)?(?:text|lines|statement|signature|raw|code|content|doc|json|pattern|expression|query|question|bytes)\??: (?:string|readonly string\[\]|Uint8Array|Buffer)\b/gm;

test('every export that reads untrusted text is attacked, or listed with a reason', () => {
  const attacked = otherScanners().map(({ name }) => name);
  const missing = ROOMS.flatMap((room) =>
    readdirSync(join(src, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.(?:test|fixture)\.ts$|testing\//.test(file))
      .flatMap((file) =>
        [...readFileSync(join(src, room, file), 'utf8').matchAll(TAKES_TEXT)].map(
          ([, name]) => `${room}/${file}#${name}`,
        ),
      ),
  ).filter((name) => !NOT_ATTACKED.has(name) && !attacked.some((known) => known.startsWith(name)));
  assert.deepEqual(missing, [], 'add it to other-scanners.ts');
});

test('every hook of every language is attacked', () => {
  const scanners = languageScanners();
  for (const hook of ['scan', 'mask', 'readImports', 'refine', 'names.readDeclared'])
    assert.ok(
      scanners.some(({ name }) => name.endsWith(`: ${hook}`)),
      hook,
    );
});

test('the measure by CPU time reports quadratic work, and not linear work', () => {
  const spaces = (size: number) => ' '.repeat(size);
  assert.ok(findSteepGrowth((text) => /\s+x$/.test(text), spaces, 8192));
  assert.equal(
    findSteepGrowth((text) => text.replace(/\s/g, 'y').split('').reverse().join(''), spaces),
    null,
  );
});

for (const scanner of [...languageScanners(), ...otherScanners()])
  test(`the work of ${scanner.name} grows no faster than the text`, { skip: !isFull }, () => attack(scanner));

function attack(scanner: Scanner): void {
  for (const { name, make } of chosenTexts(scanner, TEXTS)) {
    const growth = findSteepGrowth(scanner.run, make, scanner.limit);
    assert.equal(growth, null, `${name}: about size to the power of ${growth?.exponent.toFixed(2)}`);
  }
}
