/**
 * Recognises folders of build output by a file beside or inside them. The rules apply to untracked files only: a
 * tracked file was added on purpose.
 */
export interface OutputFolder {
  readonly reason: 'generated' | 'vendored';
  readonly why: string;
}

interface OutputRule extends OutputFolder {
  readonly folder: RegExp;
  /** File names, one of which has to exist beside the folder. */
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

/** A folder that contains one of these files is a tool's cache or a virtual environment. */
export const TOOL_FOLDER_FILES: readonly string[] = ['CACHEDIR.TAG', 'pyvenv.cfg'];

export function findOutputFolder(name: string, hasBeside: (sibling: string) => boolean): OutputFolder | null {
  return OUTPUT_RULES.find((rule) => rule.folder.test(name) && rule.beside.some(hasBeside)) ?? null;
}
