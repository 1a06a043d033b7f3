/** A made-up project for the tests of grep. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import type { GrepRequest } from '../../model/records/query.ts';
import { grepFiles as grep } from './grep.ts';

export const grepIn = (folder: string, request: GrepRequest, inGit: boolean, tokenFiles: readonly string[] = []) =>
  grep(folder, request, { inGit, redact: true, tokenFiles });

export const grepFiles = (folder: string, request: GrepRequest) => grepIn(folder, request, false);

export let root: string;

export const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

before(() => {
  root = mkdtempSync(join(tmpdir(), 'sextant-grep-'));
  write('src/a.ts', 'one\ntwo needle\nthree\nfour\nfive needle\nsix\n');
  write('src/flags.ts', 'const help = "--help -e x";\nconst paren = call(1, 2);\n');
  write('src/umlaut.ts', '// größer als needle2\n');
  write('lib/b.go', 'package b // NEEDLE\n');
  write('lib/old/c.go', 'package c // needle\n');
  write('many.txt', 'match me\n'.repeat(120));
  write('long.txt', `${'x'.repeat(5000)} rare_word\n`);
  write('.env', 'TOKEN=needle\n');
  write('config/id_rsa', 'needle\n');
  write('notes.txt', `-----BEGIN RSA PRIVATE KEY-----\nMIIEneedle${'A'.repeat(40)}\n-----END RSA PRIVATE KEY-----\n`);
  write('.gitignore', 'ignored/\n');
  write('ignored/x.ts', 'needle\n');
  write('.sextantignore', 'lib/old/\n');
});

after(() => rmSync(root, { recursive: true, force: true }));
