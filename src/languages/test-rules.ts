/** How the tests of a language are run: which files a runner takes, and the command line that runs some of them. */

/** A file of tests to run. */
export interface TestFile {
  readonly path: string;
  /** Functions of it that matter; empty for all. */
  readonly names: readonly string[];
}

/** The files of the project that a runner may read. */
export interface ProjectFiles {
  /**
   * The folder of the nearest file of that name, from the file's own folder up ('' for the root); null where there is
   * none.
   */
  nearest(path: string, fileName: string): string | null;
  /** The file's text; '' where it is not indexed. */
  text(path: string): string;
}

export interface TestRunner {
  /** The usual name: "pytest", "go test". */
  readonly name: string;
  /** Whether it runs this file's tests; the first of a language's runners that says so does. */
  readonly runs: (path: string, project: ProjectFiles) => boolean;
  /** Command lines for the root of the project. */
  readonly commands: (files: readonly TestFile[], project: ProjectFiles) => readonly string[];
}

export interface TestRules {
  /** A file of tests, not a helper or data beside them, by its path. */
  readonly isTestFile: (path: string) => boolean;
  /** The names of modules with which files of the program hold tests of their own; none where absent. */
  readonly inlineModules?: readonly string[];
  readonly runners: readonly TestRunner[];
}

/** A word of a command line as a POSIX shell reads it. */
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

/** Paths relative to a folder that holds them. */
export function below(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}

/** Files by the folder that `folderOf` gives them. */
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

/** The text of the nearest file of a name; '' where there is none. */
export function nearestText(path: string, fileName: string, project: ProjectFiles): string {
  const folder = project.nearest(path, fileName);
  return folder === null ? '' : project.text(folder === '' ? fileName : `${folder}/${fileName}`);
}

/** A command that takes paths, run in the folder of the nearest manifest. */
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
