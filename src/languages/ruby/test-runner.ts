import { pathsBelow, type TestRules } from '../test-rules.ts';

export const rubyTests: TestRules = {
  isTestFile: (path) => /_(?:spec|test)\.rb$|(?:^|\/)test_\w+\.rb$/.test(path),
  runners: [
    {
      name: 'rspec',
      runs: (path) => path.endsWith('_spec.rb'),
      commands: pathsBelow('Gemfile', ['bundle', 'exec', 'rspec']),
    },
    { name: 'rake test', runs: () => true, commands: pathsBelow('Gemfile', ['bundle', 'exec', 'ruby', '-Itest']) },
  ],
};
