import { pathsBelow, type TestRules } from '../test-rules.ts';

export const phpTests: TestRules = {
  isTestFile: (path) => /Test\.php$/.test(path),
  runners: [{ name: 'phpunit', runs: () => true, commands: pathsBelow('composer.json', ['vendor/bin/phpunit']) }],
};
