import { stemOf } from '../../model/text/path-text.ts';
import { below, byFolder, commandLine, nearestText, type TestFile, type TestRules } from '../test-rules.ts';

export const rustTests: TestRules = {
  // In a crate's tests folder, each file is a test, and so is each folder with a main.rs; deeper files belong to one of
  // those.
  isTestFile: (path) => /(?:^|\/)tests\/.*\.rs$/.test(path),
  inlineModules: ['tests', 'test'],
  runners: [
    {
      name: 'cargo test',
      runs: () => true,
      commands: (files, project) =>
        [...byFolder(files, ({ path }) => project.nearest(path, 'Cargo.toml') ?? '')].map(([crate, own]) => {
          const toml = nearestText(own[0]!.path, 'Cargo.toml', project);
          const name = /^\[package\][^[]*?^name\s*=\s*"([^"\n]+)"/ms.exec(toml)?.[1];
          const isLibrary =
            /^\[lib\]/m.test(toml) || project.text(crate === '' ? 'src/lib.rs' : `${crate}/src/lib.rs`) !== '';
          return commandLine('cargo', 'test', name === undefined ? [] : ['-p', name], targets(crate, own, isLibrary));
        }),
    },
  ],
};

/**
 * `--test NAME` for files in the crate's tests folder. Modules beside the code are tested with the library, or with its
 * programs.
 */
function targets(crate: string, files: readonly TestFile[], isLibrary: boolean): readonly string[] {
  const names = new Set<string>();
  let [isInside, isProgram] = [false, false];
  for (const { path } of files) {
    const [first, second] = below(crate, path).split('/');
    if (first === 'tests' && second !== undefined) names.add(stemOf(second));
    else if (isLibrary && !/^(?:src\/main\.rs$|src\/bin\/|examples\/|benches\/)/.test(below(crate, path)))
      isInside = true;
    else isProgram = true;
  }
  return [
    ...(isInside ? ['--lib'] : []),
    ...(isProgram ? ['--bins'] : []),
    ...[...names].flatMap((name) => ['--test', name]),
  ];
}
