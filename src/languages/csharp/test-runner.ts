import { nameOf, stemOf } from '../../model/text/path-text.ts';
import { commandLine, type TestRules } from '../test-rules.ts';

export const csharpTests: TestRules = {
  isTestFile: (path) => /(?:Tests?|Spec|Fixture)\.cs$/.test(path) || /Tests?\/.*\.cs$/.test(path),
  runners: [
    {
      name: 'dotnet test',
      runs: () => true,
      commands: (files) => [
        commandLine(
          'dotnet',
          'test',
          '--filter',
          files.map(({ path }) => `FullyQualifiedName~${stemOf(nameOf(path))}`).join('|'),
        ),
      ],
    },
  ],
};
