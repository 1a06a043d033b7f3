import { nameOf } from '../../model/text/path-text.ts';
import { commandLine, type TestRules } from '../test-rules.ts';

export const pythonTests: TestRules = {
  isTestFile: (path) => /^(?:test_.*|.*_test|tests?)\.py$/.test(nameOf(path)),
  runners: [
    {
      name: 'pytest',
      runs: () => true,
      commands: (files) => [
        commandLine(
          'pytest',
          files.map(({ path }) => path),
        ),
      ],
    },
  ],
};
