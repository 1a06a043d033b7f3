/**
 * Finds git and ripgrep, which Sextant starts by absolute path. For a bare name, Windows looks into the current folder
 * first, and a script may have put a folder of the project on the PATH: either could start a program of the project.
 */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, isAbsolute, join, parse } from 'node:path';
import { EngineError } from '../model/records/engine-errors.ts';
import { isWithin } from '../model/text/is-within.ts';

const isWindows = process.platform === 'win32';
/** The folders to search if there is no PATH. */
const DEFAULT_PATH = isWindows ? '' : '/usr/local/bin:/usr/bin:/bin';

/** Folders of the real git.exe beside the `cmd` and `bin` folders of Git for Windows, one per processor type. */
const REAL_GIT_FOLDERS: readonly string[] = ['mingw64', 'clangarm64', 'mingw32'];

let gits: { readonly path: string; readonly programs: readonly string[] } | null = null;

/** The first git of the PATH that does not lie in `project`; null if there is none. */
export function gitProgram(path: string | undefined, project: string): string | null {
  const folders = path ?? DEFAULT_PATH;
  // Without a result, each call searches again: a server then finds a git that is installed while it runs.
  if (gits?.path !== folders || gits.programs.length === 0)
    gits = { path: folders, programs: programsIn(folders, isWindows ? 'git.exe' : 'git').map(behindLauncher) };
  // Every program lies below the root of the file system, so `/` excludes none.
  const isRoot = parse(project).root === project;
  return gits.programs.find((program) => isRoot || !isWithin(program, project)) ?? null;
}

/**
 * `cmd\git.exe` of Git for Windows starts the real git and waits for it. A deadline or the death of this process would
 * end the launcher only, so start the real git.
 */
export function behindLauncher(program: string): string {
  const folder = dirname(program);
  if (!program.endsWith('.exe') || !['cmd', 'bin'].includes(basename(folder).toLowerCase())) return program;
  const candidates = REAL_GIT_FOLDERS.map((name) => join(dirname(folder), name, 'bin', basename(program)));
  return candidates.find((candidate) => existsSync(candidate)) ?? program;
}

/**
 * The programs of that name in the folders of a PATH, in its order. Relative folders do not count, and neither does
 * node_modules: npm puts the node_modules/.bin of the project and of every folder above it on the PATH.
 */
function programsIn(folders: string, name: string): string[] {
  const found: string[] = [];
  for (const folder of folders.split(delimiter)) {
    if (!isAbsolute(folder) || /[/\\]node_modules[/\\]/.test(`${folder}/`)) continue;
    try {
      // Only the folder is resolved: version managers tell by the program's own name what to start.
      const program = join(realpathSync.native(folder), name);
      if (!statSync(program).isFile()) continue;
      accessSync(program, constants.X_OK);
      found.push(program);
    } catch {
      // This folder has no such program.
    }
  }
  return found;
}

let ripgrep: string | null = null;

/**
 * The path of ripgrep's binary for this platform. The package's own module exports it, but is an ES module, which
 * dist/command.cjs cannot require() before Node 20.19.
 */
export function ripgrepProgram(): string {
  const { platform, arch } = process;
  if (ripgrep !== null) return ripgrep;
  try {
    const requireFromPackage = createRequire(createRequire(import.meta.url).resolve('@vscode/ripgrep'));
    ripgrep = requireFromPackage.resolve(`@vscode/ripgrep-${platform}-${arch}/bin/${isWindows ? 'rg.exe' : 'rg'}`);
    return ripgrep;
  } catch (error) {
    throw new EngineError(
      'unsupported',
      { what: 'grep', reason: `no ripgrep for ${platform}-${arch} is installed` },
      error,
    );
  }
}
