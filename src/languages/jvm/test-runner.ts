import { nameOf, stemOf } from '../../model/text/path-text.ts';
import { byFolder, commandLine, type ProjectFiles, type TestRules } from '../test-rules.ts';

const GRADLE = ['build.gradle.kts', 'build.gradle'] as const;

export const jvmTests: TestRules = {
  isTestFile: (path) =>
    /(?:Tests?|TestCase|Spec|IT|Suite)\.(?:java|kt|scala|groovy)$|^Test\w*\.java$/.test(nameOf(path)),
  runners: [
    {
      name: 'mvn',
      runs: (path, project) => project.nearest(path, 'pom.xml') !== null,
      commands: (files, project) =>
        [...byFolder(files, ({ path }) => project.nearest(path, 'pom.xml') ?? '')].map(([module, own]) =>
          commandLine(
            'mvn',
            module === '' ? [] : ['-pl', module, '-am', '-Dsurefire.failIfNoSpecifiedTests=false'],
            `-Dtest=${own.map(({ path }) => stemOf(nameOf(path))).join(',')}`,
            'test',
          ),
        ),
    },
    {
      name: 'gradle',
      runs: (path, project) => gradleFolder(path, project) !== null,
      commands: (files, project) =>
        [...byFolder(files, ({ path }) => gradleFolder(path, project) ?? '')].map(([module, own]) =>
          commandLine(
            './gradlew',
            module === '' ? 'test' : `:${module.replaceAll('/', ':')}:test`,
            own.flatMap(({ path }) => ['--tests', stemOf(nameOf(path))]),
          ),
        ),
    },
    {
      name: 'sbt',
      runs: (_path, project) => project.text('build.sbt') !== '',
      commands: (files) => [
        commandLine('sbt', `testOnly ${files.map(({ path }) => `*${stemOf(nameOf(path))}`).join(' ')}`),
      ],
    },
  ],
};

function gradleFolder(path: string, project: ProjectFiles): string | null {
  const folders = GRADLE.flatMap((name) => project.nearest(path, name) ?? []);
  return folders.sort((a, b) => b.length - a.length)[0] ?? null;
}
