import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageById } from '../../languages/registry.ts';
import { findWords } from './find-words.ts';

const at = (text: string, language: string) =>
  findWords(text, 'LIMIT', languageById(language)).map(
    ({ line, column, quoted }) => `${line}:${column}${quoted ? ' quoted' : ''}`,
  );

test('findWords finds a name in code, not in comments, strings or longer names', () => {
  assert.deepEqual(at('x = LIMIT; // LIMIT\n/* LIMIT\n LIMIT */ y = LIMIT;\nMAX_LIMIT + LIMITS + "LIMIT of";\n', 'c'), [
    '1:5',
    '3:15',
  ]);
  assert.deepEqual(at('a = LIMIT # LIMIT\n"""\nLIMIT\n"""\nb = "it\'s LIMIT" or LIMIT\n', 'python'), ['1:5', '5:21']);
  assert.deepEqual(at('fn f<\'a>(x: &\'a str) { LIMIT }\nlet q = \'"\'; LIMIT;\nr#"LIMIT " LIMIT"#; LIMIT\n', 'rust'), [
    '1:24',
    '2:14',
    '3:21',
  ]);
  assert.deepEqual(at('LIMIT <?php # LIMIT\n$LIMIT = LIMIT; ?> LIMIT <?= LIMIT ?>', 'php'), ['2:2', '2:10', '2:30']);
});

test('code in a string interpolation counts as code', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what is read.
  assert.deepEqual(at("`LIMIT ${LIMIT} LIMIT` + '${LIMIT}'", 'typescript'), ['1:10']);
  assert.deepEqual(at('f"{LIMIT} LIMIT" + "{LIMIT}"', 'python'), ['1:4']);
  assert.deepEqual(at('"#{LIMIT} LIMIT"', 'ruby'), ['1:4']);
  assert.deepEqual(at('"\\(LIMIT) LIMIT"', 'swift'), ['1:4']);
});

test('findWords marks a string literal that equals the name', () => {
  assert.deepEqual(at("<?php add('LIMIT'); // 'LIMIT'\n", 'php'), ['1:12 quoted']);
});
