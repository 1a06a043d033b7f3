/**
 * A tree of a few files for tests of imports. Only paths, manifests, declared packages and defined names matter, so no
 * index is built.
 */
import assert from 'node:assert/strict';
import type { ImportRecord } from '../../../model/records/symbol.ts';
import { detectLanguage } from '../../index.ts';
import { ImportResolver } from './import-resolver.ts';
import type { SourceTree } from './source-tree.ts';

const PACKAGE = /^\s*(?:package|namespace|module)\s+([\w.\\]+)/m;

export type Find = (from: string, source: string, ...names: string[]) => string[];

/** A tree of empty files. */
export function resolver(...paths: string[]): Find {
  return resolverOf(Object.fromEntries(paths.map((path) => [path, ''])));
}

export function treeOf(contents: Readonly<Record<string, string>>): SourceTree {
  const files = Object.keys(contents)
    .sort()
    .map((path) => ({ path, language: detectLanguage(path, '')?.id ?? 'text' }));
  const where = (test: (text: string, path: string) => boolean) =>
    files.flatMap(({ path }, index) => (test(contents[path]!, path) ? [index] : []));
  return {
    files,
    text: (file) => contents[files[file]!.path]!,
    inPackage: (name) => where((text) => PACKAGE.exec(text)?.[1] === name),
    defining: (name) =>
      where((text) =>
        new RegExp(`\\b(?:class|interface|object|trait|struct|enum|function|fun|def|void)\\s+${name}\\b`).test(text),
      ),
    modulesNamed: (name) => where((text) => new RegExp(`\\bdefmodule\\s+${name.replaceAll('.', '\\.')}\\s`).test(text)),
  };
}

/** '(outside)' stands for an external import. */
export function resolverOf(contents: Readonly<Record<string, string>>): Find {
  const tree = treeOf(contents);
  const imports = new ImportResolver(tree);
  return (from, source, ...names) => {
    const file = tree.files.findIndex(({ path }) => path === from);
    assert.ok(file >= 0, from);
    const record: ImportRecord = { source, names: names.map((name) => ({ name, local: name })), alias: '', line: 1 };
    const { files, external } = imports.resolve(file, record);
    assert.ok(!external || files.length === 0, 'what is external has no files');
    return files.map((index) => tree.files[index]!.path);
  };
}
