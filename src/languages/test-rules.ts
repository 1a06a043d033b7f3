/** How tests of a language are run: which files a runner accepts, and the command lines that run some of them. */

/** A test file to run. */
export interface TestFile {
  readonly path: string;
  /** Names of the test functions to run; empty for all. */
  readonly names: readonly string[];
}

/** The files of the project that a runner may read. */
export interface ProjectFiles {
  /** The folder of the nearest file of that name, from the file's folder up ('' for the root); null for none. */
  nearest(path: string, fileName: string): string | null;
  /** The text of a file; '' if it is not indexed. */
  text(path: string): string;
}

export interface TestRunner {
  /** The common name of the runner: "pytest", "go test". */
  readonly name: string;
  /** The runner runs the tests of this file. The first runner of a language that accepts a file is used. */
  readonly runs: (path: string, project: ProjectFiles) => boolean;
  /** Command lines, to be run in the root of the project. */
  readonly commands: (files: readonly TestFile[], project: ProjectFiles) => readonly string[];
}

export interface TestRules {
  /** The path is a test file and no helper or data file beside tests. */
  readonly isTestFile: (path: string) => boolean;
  /** The names of modules with which files of the program hold tests of their own; none where absent. */
  readonly inlineModules?: readonly string[];
  readonly runners: readonly TestRunner[];
}

/** Quotes a word for a POSIX shell where necessary. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./^~-]+$/.test(text) && !text.startsWith('~') && !text.startsWith('-')
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}

export function commandLine(...words: readonly (string | readonly string[])[]): string {
  return words
    .flat()
    .map((word) => (word.startsWith('-') && !/[\s'"$`\\|&;()<>*?[\]#!]/.test(word) ? word : shellWord(word)))
    .join(' ');
}

/** A path relative to a folder that contains it. */
export function below(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}

/** Groups files by the folder that `folderOf` returns. */
export function byFolder(
  files: readonly TestFile[],
  folderOf: (file: TestFile) => string,
): ReadonlyMap<string, readonly TestFile[]> {
  const groups = new Map<string, TestFile[]>();
  for (const file of files) {
    const folder = folderOf(file);
    const group = groups.get(folder);
    if (group) group.push(file);
    else groups.set(folder, [file]);
  }
  return groups;
}

/** The text of the nearest file of a name; '' for none. */
export function nearestText(path: string, fileName: string, project: ProjectFiles): string {
  const folder = project.nearest(path, fileName);
  return folder === null ? '' : project.text(folder === '' ? fileName : `${folder}/${fileName}`);
}

/** A command that takes paths, to be run in the folder of the nearest manifest. */
export function pathsBelow(
  manifest: string,
  words: readonly string[],
): (files: readonly TestFile[], project: ProjectFiles) => readonly string[] {
  return (files, project) =>
    [...byFolder(files, ({ path }) => project.nearest(path, manifest) ?? '')].map(([folder, own]) => {
      const line = commandLine(
        words,
        own.map(({ path }) => below(folder, path)),
      );
      return folder === '' ? line : `(cd ${shellWord(folder)} && ${line})`;
    });
}
