import { pathsBelow, type TestRules } from '../test-rules.ts';

export const elixirTests: TestRules = {
  isTestFile: (path) => path.endsWith('_test.exs'),
  runners: [{ name: 'mix test', runs: () => true, commands: pathsBelow('mix.exs', ['mix', 'test']) }],
};
