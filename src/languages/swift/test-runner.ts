import { nameOf, stemOf } from '../../model/text/path-text.ts';
import { commandLine, type TestRules } from '../test-rules.ts';

export const swiftTests: TestRules = {
  isTestFile: (path) => /Tests?\.swift$/.test(path) || /(?:^|\/)Tests\/.*\.swift$/.test(path),
  runners: [
    {
      name: 'swift test',
      runs: () => true,
      commands: (files) => [
        commandLine(
          'swift',
          'test',
          files.flatMap(({ path }) => ['--filter', stemOf(nameOf(path))]),
        ),
      ],
    },
  ],
};
