/**
 * The module of a file by the rules of its language: a declared package, a folder, a build target, or the file itself.
 * It is part of a symbol's stable id: a symbol keeps its id when it moves inside of its module.
 */
import { folderOf, nameOf, stemOf } from '../model/text/path-text.ts';
import { nameRulesOf } from './registry.ts';

/** Names of files that stand for their folder. */
const FOLDER_FILES = new Set(['mod', 'index', '__init__', 'init']);
const QUALIFIED = /[.:\\/]/;

/** `owner`: the name of the enclosing symbol, '' at top level. */
export function modulePathOf(language: string, path: string, packageName: string, owner: string): string {
  const { visible, unitFolder, parts, openTypes } = nameRulesOf(language);
  switch (visible) {
    case 'package':
      return QUALIFIED.test(packageName) ? packageName : `${folderOf(path)}:${packageName}`;
    case 'folder':
      return `${folderOf(path)}:${packageName}`;
    case 'unit':
      return unitFolder?.exec(path)?.[0] ?? path.split('/').slice(0, -1)[0] ?? '';
    case 'global':
      // A class that any file may reopen (Ruby) is identified by its qualified name alone.
      if (openTypes && parts === 'reopened' && owner !== '') return '';
  }
  const stem = stemOf(nameOf(path));
  return FOLDER_FILES.has(stem) ? folderOf(path) : `${folderOf(path)}/${stem}`;
}
