/**
 * Folders that a build tool fills, recognised by a file beside or inside them. Only for untracked files: a tracked file
 * is there on purpose.
 */
export interface OutputFolder {
  readonly reason: 'generated' | 'vendored';
  readonly why: string;
}

interface OutputRule extends OutputFolder {
  readonly folder: RegExp;
  /** Any of these beside the folder. */
  readonly beside: readonly string[];
}

const OUTPUT_RULES: readonly OutputRule[] = [
  {
    folder: /^target$/,
    beside: ['Cargo.toml', 'pom.xml', 'build.sbt', 'project.clj'],
    reason: 'generated',
    why: 'build output',
  },
  {
    folder: /^build$/,
    beside: ['build.gradle', 'build.gradle.kts', 'pubspec.yaml'],
    reason: 'generated',
    why: 'build output',
  },
  {
    folder: /^(?:dist|\.output)$/,
    beside: ['package.json', 'setup.py', 'pyproject.toml'],
    reason: 'generated',
    why: 'build output',
  },
  { folder: /^_build$/, beside: ['mix.exs', 'rebar.config', 'dune-project'], reason: 'generated', why: 'build output' },
  { folder: /^deps$/, beside: ['mix.exs', 'rebar.config'], reason: 'vendored', why: 'installed packages' },
  {
    folder: /^coverage$/,
    beside: ['package.json', 'Gemfile', 'composer.json'],
    reason: 'generated',
    why: 'coverage report',
  },
];

/** Any of these inside means that a tool owns the folder. */
export const OUTPUT_MARKS: readonly string[] = ['CACHEDIR.TAG', 'pyvenv.cfg'];

export function findOutputFolder(name: string, hasBeside: (sibling: string) => boolean): OutputFolder | null {
  return OUTPUT_RULES.find((rule) => rule.folder.test(name) && rule.beside.some(hasBeside)) ?? null;
}
