/**
 * Which module does a file belong to? As the language sees it: a declared package, a folder, a target of the build, or
 * the file itself. Part of what a symbol is: it may move inside of its module, and is another one in another module.
 */
import { folderOf, nameOf, stemOf } from '../model/text/path-text.ts';
import { nameRulesOf } from './registry.ts';

/** Files that stand for the folder they lie in. */
const FOLDER_FILES = new Set(['mod', 'index', '__init__', 'init']);
const QUALIFIED = /[.:\\/]/;

/** `owner`: the name of what a symbol stands in, '' at the top. */
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
      // A class that may be continued in any file is named by its whole name.
      if (openTypes && parts === 'reopened' && owner !== '') return '';
  }
  const stem = stemOf(nameOf(path));
  return FOLDER_FILES.has(stem) ? folderOf(path) : `${folderOf(path)}/${stem}`;
}
