/** The steps of our own code, counted: no load of the machine disturbs them. Time (growth.test.ts) sees what patterns do besides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenTexts } from './hostile-texts.ts';
import { languageScanners } from './language-scanners.ts';
import { countSteps, hasSteepSteps } from './measure-growth.ts';
import { otherScanners } from './other-scanners.ts';
import type { Scanner } from './scanner.ts';

const isFull = process.env.HOSTILE === 'full';
/** Counting takes a hundred times as long as running; each scanner gets so many of the texts. */
const TEXTS = 24;
const LARGEST = 8192;

test('the measure by steps reports quadratic work, and not linear work', () => {
  const signs = (size: number) => 'a'.repeat(size);
  const everyPair = (text: string) => {
    let pairs = 0;
    for (let i = 0; i < text.length; i++) for (let j = i; j < text.length; j++) pairs++;
    return pairs;
  };
  const everySign = (text: string) => {
    let signsSeen = 0;
    for (let i = 0; i < text.length; i++) signsSeen++;
    return signsSeen;
  };
  assert.ok(hasSteepSteps(everyPair, signs));
  assert.ok(!hasSteepSteps(everySign, signs));
  assert.ok(countSteps(everySign, signs(2000)) >= 2000);
});

for (const scanner of [...languageScanners(), ...otherScanners()].filter(({ limit = LARGEST }) => limit >= LARGEST))
  test(`the steps of ${scanner.name} grow no faster than the text`, { skip: !isFull }, () => attack(scanner));

function attack(scanner: Scanner): void {
  for (const { name, make } of chosenTexts(scanner, TEXTS)) assert.ok(!hasSteepSteps(scanner.run, make), name);
}
