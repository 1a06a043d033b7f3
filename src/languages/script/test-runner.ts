import { nameOf } from '../../model/text/path-text.ts';
import { nearestText, type ProjectFiles, pathsBelow, type TestRules, type TestRunner } from '../test-rules.ts';

const MANIFEST = 'package.json';

/** Test runners by the word that identifies them in a package.json, most likely first. */
const RUNNERS: readonly (readonly [word: RegExp, name: string, words: readonly string[]])[] = [
  [/\bvitest\b/, 'vitest', ['npx', 'vitest', 'run']],
  [/\bjest\b/, 'jest', ['npx', 'jest']],
  [/\bmocha\b/, 'mocha', ['npx', 'mocha']],
  [/\bava\b/, 'ava', ['npx', 'ava']],
  [/"(?:borp|node --test)|node --test\b|\bborp\b/, 'node --test', ['node', '--test']],
  [/"tap"/, 'tap', ['npx', 'tap']],
];

export const scriptTests: TestRules = {
  isTestFile: (path) =>
    /\.(?:test|spec|test-d|e2e|it)\.[cm]?[jt]sx?$/.test(path) ||
    (/(?:^|\/)(?:tests?|__tests__|spec)\//.test(path) &&
      /\.[cm]?[jt]sx?$/.test(path) &&
      !/(?:^|\/)(?:fixtures?|__fixtures__|__mocks__|__snapshots__|helpers?|utils?|mocks?)\//.test(path) &&
      !/^(?:index|setup|helpers?|utils?|common)\./.test(nameOf(path))),
  runners: RUNNERS.map(
    ([word, name, words]): TestRunner => ({
      name,
      runs: (path, project) => namesRunner(path, word, project),
      commands: pathsBelow(MANIFEST, words),
    }),
  ).concat({ name: 'npm test', runs: () => true, commands: pathsBelow(MANIFEST, ['npm', 'test', '--']) }),
};

/** The nearest package.json contains the word, or the one at the root, which may run the tests of its members. */
function namesRunner(path: string, word: RegExp, project: ProjectFiles): boolean {
  return word.test(nearestText(path, MANIFEST, project)) || word.test(project.text(MANIFEST));
}
