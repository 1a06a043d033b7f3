/**
 * Random bytes and damaged fixtures in every language: nothing throws, and what comes out keeps its promises. Seeded
 * and bounded.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ParsedFile } from '../../model/records/symbol.ts';
import { createParser, LANGUAGES } from '../index.ts';
import { linkGrammars } from './testing/grammar-folder.ts';
import { listFixtures } from './testing/snapshots.ts';

const ROUNDS = 6;
const MAX_CHARS = 6000;
const BUDGETS = { parseBudgetMs: 400, queryBudgetMs: 400 };

const folders = linkGrammars();
const parser = createParser(folders);
after(() => {
  parser.close();
  folders.remove();
});

const fixtures = new Map(listFixtures().map((fixture) => [fixture.language.id, fixture.text]));

for (const language of LANGUAGES) {
  test(`${language.id}: random and damaged text`, async () => {
    await parser.load(language);
    const random = randomFrom(hash(language.id));
    const whole = fixtures.get(language.id) ?? '';
    const inputs = [randomText(random, 800), randomText(random, 800), `${'\0'.repeat(50)}\n\ud800\udc00\udc00`];
    for (let i = 0; i < ROUNDS; i++) inputs.push(damage(whole, random));
    for (const text of inputs) {
      const file = parser.parse({ language, text, ...BUDGETS });
      checkPromises(file, text);
    }
  });
}

function checkPromises(file: ParsedFile, text: string): void {
  const context = `in ${JSON.stringify(text.slice(0, 300))}`;
  assert.ok(file.problems.length <= 22, context);
  file.symbols.forEach((symbol, index) => {
    assert.ok(symbol.name.length > 0, `a symbol without a name ${context}`);
    assert.ok(symbol.parent >= -1 && symbol.parent < index, `${symbol.name}: parent ${context}`);
    assert.ok(
      symbol.fullStartLine >= 1 && symbol.fullStartLine <= symbol.startLine,
      `${symbol.name}: start ${context}`,
    );
    assert.ok(symbol.startLine <= symbol.endLine && symbol.endLine <= file.lineCount, `${symbol.name}: end ${context}`);
    assert.ok(symbol.signature.length <= 420, `${symbol.name}: signature`);
  });
  for (const { from, line, receiver } of file.references) {
    assert.ok(from >= -1 && from < file.symbols.length, `from ${context}`);
    assert.ok(line >= 1 && line <= file.lineCount && receiver.length <= 120, `reference ${context}`);
  }
  let last = 0;
  for (const { startLine, endLine } of file.sections) {
    assert.ok(startLine >= last && startLine <= endLine && endLine <= file.lineCount, `sections ${context}`);
    last = startLine;
  }
}

function damage(text: string, random: () => number): string {
  let result = text.slice(0, MAX_CHARS);
  const place = () => Math.floor(random() * result.length);
  for (let i = 1 + Math.floor(random() * 5); i > 0; i--) {
    const from = place();
    const to = Math.min(result.length, from + Math.floor(random() * 200));
    const kind = Math.floor(random() * 5);
    if (kind === 0) result = result.slice(0, from) + result.slice(to);
    else if (kind === 1) result = result.slice(0, to) + result.slice(from, to) + result.slice(to);
    else if (kind === 2) result = result.slice(0, from) + randomText(random, 20) + result.slice(from);
    else if (kind === 3) result = result.slice(0, from);
    else
      result = result.slice(0, from) + '({[<"\'`'[Math.floor(random() * 7)]!.repeat(1 + (i % 3)) + result.slice(from);
  }
  return result;
}

function randomText(random: () => number, length: number): string {
  const codes = Array.from({ length: Math.floor(random() * length) }, () =>
    random() < 0.8 ? 9 + Math.floor(random() * 118) : Math.floor(random() * 0x10000),
  );
  return String.fromCharCode(...codes);
}

/** mulberry32: small, seeded, the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function hash(text: string): number {
  let value = 7;
  for (let i = 0; i < text.length; i++) value = Math.imul(value, 31) + text.charCodeAt(i);
  return value;
}
