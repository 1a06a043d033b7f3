/** Every language against its reviewed snapshot, and the invariants that hold for all of them. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import type { ParsedFile } from '../../../model/records/symbol.ts';
import { LANGUAGES } from '../../registry.ts';
import { parseFixtures } from './snapshots.ts';

// V8 would optimise each lexer after a dozen tokens: 17 s of a core for files that are parsed once.
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');
const results = await parseFixtures();

test('every language has a fixture', () => {
  const covered = new Set(results.map(({ fixture }) => fixture.language.id));
  assert.deepEqual(
    LANGUAGES.map((language) => language.id).filter((id) => !covered.has(id)),
    [],
  );
});

for (const { fixture, parsed, detected } of results) {
  test(`${fixture.language.id}: the fixture gives its snapshot`, () => {
    assert.equal(detected, fixture.language.id);
    assert.ok(existsSync(fixture.snapshotPath), 'no snapshot: run src/languages/fixtures/update.ts and review it');
    assert.deepEqual(JSON.parse(JSON.stringify(parsed)), JSON.parse(readFileSync(fixture.snapshotPath, 'utf8')));
  });

  test(`${fixture.language.id}: names stand where they are said to stand`, () => {
    checkPlaces(parsed, fixture.text);
  });
}

function checkPlaces(parsed: ParsedFile, text: string): void {
  const lines = text.split('\n');
  parsed.symbols.forEach((symbol, index) => {
    assert.ok(symbol.parent < index, `${symbol.name}: its parent comes later`);
    assert.ok(symbol.fullStartLine <= symbol.startLine && symbol.startLine <= symbol.endLine, `${symbol.name}: lines`);
    assert.ok(symbol.endLine <= parsed.lineCount, `${symbol.name}: ends after the file`);
    assert.ok(symbol.qualifiedName.endsWith(symbol.name), `${symbol.qualifiedName} does not end with ${symbol.name}`);
  });
  for (const reference of parsed.references) {
    const from = parsed.symbols[reference.from];
    assert.ok(reference.from === -1 || from, `${reference.name}: from`);
    assert.ok(
      lines[reference.line - 1]!.startsWith(reference.name.split('\n')[0]!, reference.column - 1),
      `${reference.name} is not at ${reference.line}:${reference.column}`,
    );
  }
}
