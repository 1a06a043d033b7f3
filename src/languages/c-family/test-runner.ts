import type { TestRules } from '../test-rules.ts';

/** Projects run their tests by programs and scripts of their own. A benchmark fails no test. */
export const cTests: TestRules = {
  isTestFile: (path) => !/(?:^|\/)(?:micro)?bench(?:es|marks?)?\/|(?:^|[-_/])bench(?:mark)?s?[-_.][^/]*$/.test(path),
  runners: [],
};
