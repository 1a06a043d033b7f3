import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileAddress, fromHash } from './page/addresses.ts';
import { fixForPeople } from './page/fixes.ts';
import { cutSource } from './page/lines.ts';

const VIEWS = { '': 1, file: 1, search: 1 };

test('an address leads back to its view and parameters, whatever stands in them', () => {
  const path = '<img src=x>/x&y=#?%20.ts';
  const { view, parameters } = fromHash(fileAddress(path, '10-20'), VIEWS);
  assert.deepEqual([view, parameters.get('path'), parameters.get('lines')], ['file', path, '10-20']);
});

test('what names no view is the first one, names that every object has included', () => {
  for (const hash of [
    '',
    '#',
    '#/',
    '#main',
    '#/nope',
    '#/constructor',
    '#/toString',
    '#/__proto__',
    '#/hasOwnProperty?q=1',
  ])
    assert.equal(fromHash(hash, VIEWS).view, '', hash);
});

test('the source of a symbol is numbered from the end of its lines: the comment above it is not among them', () => {
  assert.equal(cutSource('/** Adds. */\nfunction add() {\n}', 12).startLine, 10);
  assert.equal(cutSource('const a = 1;', 7).startLine, 7);
  assert.deepEqual(cutSource('/** Adds. */\nfunction add() {\n… 20 more lines', 31), {
    code: '/** Adds. */\nfunction add() {',
    left: 20,
    startLine: 10,
  });
});

test('a person is told nothing about tools of agents', () => {
  const fix = 'Call index_codebase once, then repeat this call.';
  assert.match(fixForPeople({ code: 'not_indexed', fix }), /^Run `sextant index`/);
  assert.equal(fixForPeople({ code: 'unreachable', fix: 'Is it running?' }), 'Is it running?');
});
