import { stemOf } from '../../model/text/path-text.ts';
import { below, byFolder, commandLine, nearestText, type TestFile, type TestRules } from '../test-rules.ts';

export const rustTests: TestRules = {
  // Of a crate's folder of tests each file is a test, and so is a folder with a main.rs; what lies deeper belongs to
  // one of those.
  isTestFile: (path) => /(?:^|\/)tests\/.*\.rs$/.test(path),
  runners: [
    {
      name: 'cargo test',
      runs: () => true,
      commands: (files, project) =>
        [...byFolder(files, ({ path }) => project.nearest(path, 'Cargo.toml') ?? '')].map(([crate, own]) => {
          const toml = nearestText(own[0]!.path, 'Cargo.toml', project);
          const name = /^\[package\][^[]*?^name\s*=\s*"([^"\n]+)"/ms.exec(toml)?.[1];
          return commandLine('cargo', 'test', name === undefined ? [] : ['-p', name], targets(crate, own));
        }),
    },
  ],
};

/** `--test NAME` of a crate's tests; modules beside the code are tested with the library. */
function targets(crate: string, files: readonly TestFile[]): readonly string[] {
  const names = new Set<string>();
  let isInside = false;
  for (const { path } of files) {
    const [first, second] = below(crate, path).split('/');
    if (first === 'tests' && second !== undefined) names.add(stemOf(second));
    else isInside = true;
  }
  return [...(isInside ? ['--lib'] : []), ...[...names].flatMap((name) => ['--test', name])];
}
