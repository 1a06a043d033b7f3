import { folderOf } from '../../model/text/path-text.ts';
import { below, byFolder, commandLine, type TestFile, type TestRules } from '../test-rules.ts';

/** With more names than that, running whole packages is as fast. */
const MAX_NAMES = 30;

export const goTests: TestRules = {
  isTestFile: (path) => path.endsWith('_test.go'),
  runners: [
    {
      name: 'go test',
      runs: () => true,
      // `go test` takes packages, which are folders of one module.
      commands: (files, project) =>
        [...byFolder(files, ({ path }) => project.nearest(path, 'go.mod') ?? '')].map(([module, own]) => {
          const folders = [...new Set(own.map(({ path }) => below(module, folderOf(path))))];
          const packages = folders.map((folder) => (folder === '' ? '.' : `./${folder}`));
          return commandLine(module === '' ? ['go'] : ['go', '-C', module], 'test', packages, namesOf(own));
        }),
    },
  ],
};

function namesOf(files: readonly TestFile[]): readonly string[] {
  const names = [...new Set(files.flatMap((file) => file.names))].filter((name) => /^(?:Test|Example|Fuzz)/.test(name));
  const isWhole = files.some((file) => file.names.length === 0);
  return isWhole || names.length === 0 || names.length > MAX_NAMES ? [] : ['-run', `^(${names.join('|')})$`];
}
