/**
 * Our rules for TypeScript work on the paths of a tree; oxc-resolver works on a disk. On the same files they must
 * agree.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { ResolverFactory } from 'oxc-resolver';
import { resolverOf } from '../runtime/imports/tree.fixture.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "root", "workspaces": ["packages/*"] }',
  'tsconfig.json':
    '{ "compilerOptions": { "baseUrl": ".", "paths": { "@app/*": ["./src/app/*"], "settings": ' +
    '["./src/settings.ts"] } } }',
  'src/main.ts': '',
  'src/settings.ts': '',
  'src/app/index.ts': '',
  'src/app/cart.tsx': '',
  'src/app/cart.css': '',
  'src/app/both.ts': '',
  'src/app/both.js': '',
  'src/app/module.mts': '',
  'src/app/data.json': '',
  'src/app/deep/index.tsx': '',
  'packages/ui/package.json':
    '{ "name": "@acme/ui", "exports": { ".": "./src/index.ts", "./button": { "import": "./src/button.tsx", ' +
    '"default": "./src/other.ts" }, "./icons/*": "./src/icons/*.tsx" }, "imports": { "#inner": "./src/inner.ts" ' +
    '} }',
  'packages/ui/src/index.ts': '',
  'packages/ui/src/button.tsx': '',
  'packages/ui/src/other.ts': '',
  'packages/ui/src/inner.ts': '',
  'packages/ui/src/icons/star.tsx': '',
  'packages/main/package.json': '{ "name": "main-field", "main": "./lib/entry.js" }',
  'packages/main/lib/entry.js': '',
};
const ASKED: readonly (readonly [from: string, source: string])[] = [
  ['src/main.ts', './settings'],
  ['src/main.ts', './settings.js'],
  ['src/main.ts', './app'],
  ['src/main.ts', './app/cart'],
  ['src/main.ts', './app/cart.jsx'],
  ['src/main.ts', './app/cart.css'],
  ['src/main.ts', './app/both.js'],
  ['src/main.ts', './app/both'],
  ['src/main.ts', './app/module.mjs'],
  ['src/main.ts', './app/data.json'],
  ['src/main.ts', './app/deep'],
  ['src/main.ts', './gone'],
  ['src/main.ts', '@app/cart'],
  ['src/main.ts', '@app/deep'],
  ['src/main.ts', 'settings'],
  ['src/main.ts', '@acme/ui'],
  ['src/main.ts', '@acme/ui/button'],
  ['src/main.ts', '@acme/ui/icons/star'],
  ['src/main.ts', 'main-field'],
  ['src/main.ts', 'react'],
  ['packages/ui/src/index.ts', '#inner'],
  ['packages/ui/src/index.ts', './button'],
  ['packages/ui/src/index.ts', '../../../src/settings'],
  ['src/app/deep/index.tsx', '..'],
];

let root: string;
before(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-imports-')));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  // As a package manager leaves a workspace.
  mkdirSync(join(root, 'node_modules/@acme'), { recursive: true });
  symlinkSync(join(root, 'packages/ui'), join(root, 'node_modules/@acme/ui'));
  symlinkSync(join(root, 'packages/main'), join(root, 'node_modules/main-field'));
});
after(() => rmSync(root, { recursive: true, force: true }));

test('script imports resolve like oxc-resolver', () => {
  const judge = new ResolverFactory({
    tsconfig: { configFile: join(root, 'tsconfig.json') },
    extensions: ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'],
    extensionAlias: {
      '.js': ['.ts', '.tsx', '.js'],
      '.jsx': ['.tsx', '.jsx'],
      '.mjs': ['.mts', '.mjs'],
      '.cjs': ['.cts', '.cjs'],
    },
    conditionNames: ['import', 'types', 'node', 'default'],
    mainFields: ['types', 'module', 'main'],
  });
  const find = resolverOf(FILES);
  for (const [from, source] of ASKED) {
    const { path } = judge.sync(dirname(join(root, from)), source);
    const expected = path ? [relative(root, path).replaceAll('\\', '/')] : [];
    assert.deepEqual(find(from, source), expected, `${source} from ${from}`);
  }
});
