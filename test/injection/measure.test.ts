import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { givesOrders, recogniseInstruction } from '../../src/model/untrusted/instruction.ts';
import { BORDERS, DOCUMENT, HALVES, measure, readCases, table } from './measure.ts';

test('the labelled set has at least 150 cases, a third of them kept apart, each once', () => {
  const [open, kept] = HALVES.map(readCases);
  const texts = [...open!, ...kept!].map(({ text }) => text);
  assert.ok(texts.length >= 150);
  assert.equal(new Set(texts).size, texts.length);
  assert.ok(kept!.length * 3 >= texts.length);
  for (const half of [open!, kept!]) {
    const share = half.filter(({ label }) => label === 'instruction').length / half.length;
    assert.ok(share > 0.4 && share < 0.6);
  }
});

test('instructions are recognised, and rules of projects are not taken for them', () => {
  const leastRecall = { open: 0.9, kept: 0.75 };
  for (const half of HALVES) {
    const { precision, recall, alarms, missed } = measure(readCases(half));
    assert.ok(precision >= 0.95, `${half}: ${alarms.map(({ id }) => id).join(', ')}`);
    assert.ok(recall >= leastRecall[half], `${half}: ${missed.map(({ id }) => id).join(', ')}`);
  }
});

test('the shorter way to the same verdict gives the same verdict', () => {
  for (const { text, kind } of HALVES.flatMap(readCases))
    assert.equal(givesOrders(text, kind === 'code'), recogniseInstruction(text, kind === 'code').isInstruction, text);
});

test('the figures of docs/security.md are those of the command', () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [start, end] = BORDERS.map((border) => text.indexOf(border)) as [number, number];
  assert.equal(
    text.slice(start + BORDERS[0].length, end).trim(),
    table(),
    'run `npm run measure:injection -- --write`',
  );
});
