/**
 * Where the programs are that Sextant starts: git and ripgrep, by absolute path. By its bare name the system would look
 * for a program in the folder it is started in first (on Windows), or in a folder of the project that a script put on
 * the PATH.
 */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, isAbsolute, join, parse } from 'node:path';
import { EngineError } from '../model/records/engine-errors.ts';
import { isWithin } from '../model/text/is-within.ts';

const isWindows = process.platform === 'win32';
/** The folders that the system searches where there is no PATH. */
const USUAL_PATH = isWindows ? '' : '/usr/local/bin:/usr/bin:/bin';

/** Folders of the real git beside the `cmd` and `bin` folders of Git for Windows, one for each kind of processor. */
const REAL_GIT_FOLDERS: readonly string[] = ['mingw64', 'clangarm64', 'mingw32'];

let gits: { readonly path: string; readonly programs: readonly string[] } | null = null;

/** The first git of the PATH that does not lie in `project`; null where there is none. */
export function gitProgram(path: string | undefined, project: string): string | null {
  const folders = path ?? USUAL_PATH;
  // Looked for again while there is none: a server notices a git that is installed while it runs.
  if (gits?.path !== folders || gits.programs.length === 0)
    gits = { path: folders, programs: programsIn(folders, isWindows ? 'git.exe' : 'git').map(behindLauncher) };
  // Every program lies below the root of the file system, which is no project.
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
 * Of absolute folders only, and none of npm's: it puts node_modules/.bin of the project and of every folder above it on
 * the PATH.
 */
function programsIn(folders: string, name: string): string[] {
  const found: string[] = [];
  for (const folder of folders.split(delimiter)) {
    if (!isAbsolute(folder) || /[/\\]node_modules[/\\]/.test(`${folder}/`)) continue;
    try {
      // The folder by its real path; the program by its own name, by which managers of versions know what to start.
      const program = join(realpathSync.native(folder), name);
      if (!statSync(program).isFile()) continue;
      accessSync(program, constants.X_OK);
      found.push(program);
    } catch {
      // Not here.
    }
  }
  return found;
}

let ripgrep: string | null = null;

/**
 * Where its package has the binary for this platform. The package's own module would tell, but commands cannot load a
 * module before Node 20.19.
 */
export function ripgrepProgram(): string {
  const { platform, arch } = process;
  if (ripgrep !== null) return ripgrep;
  try {
    const itsOwn = createRequire(createRequire(import.meta.url).resolve('@vscode/ripgrep'));
    ripgrep = itsOwn.resolve(`@vscode/ripgrep-${platform}-${arch}/bin/${isWindows ? 'rg.exe' : 'rg'}`);
    return ripgrep;
  } catch (error) {
    throw new EngineError(
      'unsupported',
      { what: 'grep', reason: `no ripgrep for ${platform}-${arch} is installed` },
      error,
    );
  }
}
