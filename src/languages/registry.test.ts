import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectLanguage, isAmbiguous, LANGUAGES, languageById } from './registry.ts';

const idOf = (path: string, head?: string) => detectLanguage(path, head)?.id ?? null;

test('a file is in the language of its extension, in any case and below any folder', () => {
  assert.equal(idOf('src/a.go'), 'go');
  assert.equal(idOf('A.PY'), 'python');
  assert.equal(idOf('a.b.d.ts'), 'typescript');
  assert.equal(idOf('x/y.tsx'), 'tsx');
  assert.equal(idOf('x.jsx'), 'javascript');
  assert.equal(idOf('go'), null);
  assert.equal(idOf('.gitignore'), null);
  assert.equal(idOf('archive.zip'), null);
});

test('settings files are data in every format, and prose is not', () => {
  for (const path of ['pom.xml', 'App.csproj', 'a.yml', 'a.toml', 'a.ini', 'a.json'])
    assert.equal(detectLanguage(path)?.family, 'data', path);
  for (const path of ['a.md', 'a.rst', 'a.txt', 'a.html'])
    assert.equal(detectLanguage(path)?.family, 'documentation', path);
});

test('a file name or a #! line decides for a file without an extension', () => {
  assert.equal(idOf('Dockerfile'), 'dockerfile');
  assert.equal(idOf('docker/Dockerfile.dev'), 'dockerfile');
  assert.equal(idOf('Gemfile.lock'), null);
  assert.equal(idOf('LICENSE-MIT'), 'text');
  assert.equal(idOf('README.md'), 'markdown');
  assert.equal(idOf('bin/run', '#!/usr/bin/env -S python3.12 -u\n'), 'python');
  assert.equal(idOf('bin/run', '#!/bin/bash'), 'bash');
  assert.equal(idOf('bin/run', '\ufeff#!/usr/bin/node\n'), 'javascript');
  assert.equal(idOf('bin/run', '#!/usr/bin/unknown'), null);
  assert.equal(idOf('bin/run', 'print(1)'), null);
});

test('headers are C unless their content is C++', () => {
  assert.equal(idOf('a.h', '#include <stdio.h>\nstruct point { int x; };\nint f(void);\n'), 'c');
  assert.equal(idOf('a.h', '#pragma once\nnamespace acme {\nclass Store {\n public:\n'), 'cpp');
  assert.equal(idOf('a.h', '#include <vector>\n'), 'cpp');
  assert.equal(idOf('a.h', 'template <typename T> T max(T a, T b);\n'), 'cpp');
});

test('the content is read only if the file name does not decide', () => {
  assert.equal(isAmbiguous('a.go'), false);
  assert.equal(isAmbiguous('a.h'), true);
  assert.equal(isAmbiguous('bin/run'), true);
  assert.equal(isAmbiguous('Dockerfile'), false);
  assert.equal(isAmbiguous('.gitignore'), false);
  assert.equal(isAmbiguous('src/a.ts'), false);
});

test('languages are found by id and alias, and all ids and aliases differ', () => {
  assert.equal(languageById('Golang')?.id, 'go');
  assert.equal(languageById('ts')?.id, 'typescript');
  assert.equal(languageById('klingon'), null);
  const owners = new Map<string, string>();
  const clashes: string[] = [];
  for (const { id, aliases } of LANGUAGES)
    for (const word of [id, ...aliases]) {
      if (owners.has(word)) clashes.push(`${word}: ${owners.get(word)} and ${id}`);
      owners.set(word, id);
    }
  assert.deepEqual(clashes, []);
  for (const { id, extensions } of LANGUAGES)
    for (const extension of extensions) assert.match(extension, /^\.[a-z0-9.+_-]+$/, `${id}: ${extension}`);
});
