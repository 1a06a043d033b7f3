/**
 * Finds the subject that a test is named after: `test_sessions.py` after `sessions.py`, `ParserTest` after `Parser`, a
 * test of `index.ts` after its folder.
 */
import { folderOf, nameOf } from '../../model/text/path-text.ts';

/** Names of files that stand for their folder. */
const FOLDER_FILES = /^(?:index|mod|lib|main|__init__|__main__|package|init)$/i;
const MARKS =
  /^(?:tests?|it|spec|unittest)(?=[A-Z_.-])[-_.]?|[-_.]?(?:tests?|specs?|testcase|it|unittests?|test-d|e2e)$/i;
/** Folders that only separate tests from sources. */
const ROOTS = new Set(
  (
    'test tests spec specs __tests__ unit integration functional e2e src main java kotlin scala lib libs pkg ' +
    'internal crates packages org com net io runtime'
  ).split(' '),
);

/** The words of a name, in lower case: `HTTPServerTest` is http, server, test. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}

/** The name of a file without extensions and test marks; the name of its folder if the file stands for that. */
export function subjectOf(path: string): string {
  const stem = nameOf(path).replace(/(?:\.(?:d|test|tests|spec|unit|e2e|browser|node|stories))*\.[A-Za-z]\w*$/, '');
  const own = stem.replace(MARKS, '') || stem;
  if (!FOLDER_FILES.test(own)) return wordsOf(own).join('_');
  const folders = folderOf(path)
    .split('/')
    .filter((folder) => !ROOTS.has(folder));
  return wordsOf(folders.at(-1) ?? own).join('_');
}

/** How well one subject is named after another, from 0 to 1. */
export function namedAfter(test: string, subject: string): number {
  if (test === '' || subject === '') return 0;
  if (test === subject || singular(test) === singular(subject)) return 1;
  const [short, long] = test.length < subject.length ? [test, subject] : [subject, test];
  const isPart = `_${long}_`.includes(`_${short}_`);
  // A shared part counts more the larger it is in the longer name.
  return isPart && short.length > 2 ? 0.3 + 0.5 * (short.length / long.length) : 0;
}

function singular(text: string): string {
  return text.replaceAll('_', '').replace(/s$/, '');
}

/** The share of distinguishing folders that two paths have in common, from 0 to 1; 1 if neither has any. */
export function nearness(a: string, b: string): number {
  const [left, right] = [tellingFolders(a), tellingFolders(b)];
  const all = new Set([...left, ...right]);
  if (all.size === 0) return 1;
  return [...left].filter((folder) => right.has(folder)).length / all.size;
}

function tellingFolders(path: string): ReadonlySet<string> {
  return new Set(
    folderOf(path)
      .split('/')
      .map((folder) => folder.toLowerCase().replace(/[-_.]?tests?$/, ''))
      .filter((folder) => folder !== '' && !ROOTS.has(folder)),
  );
}
