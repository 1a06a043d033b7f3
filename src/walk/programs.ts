/**
 * Where the programs are that Sextant starts: git and ripgrep, by absolute path. By its bare name the system would look
 * for a program in the folder it is started in first (on Windows), or in a folder of the project that a script put on
 * the PATH.
 */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join, parse } from 'node:path';
import { EngineError } from '../model/records/engine-errors.ts';
import { isWithin } from '../model/text/is-within.ts';

const isWindows = process.platform === 'win32';
/** What the system looks through where there is no PATH. */
const USUAL_PATH = isWindows ? '' : '/usr/local/bin:/usr/bin:/bin';

let gits: { readonly path: string; readonly programs: readonly string[] } | null = null;

/** The first git of the PATH that does not lie in `project`; null where there is none. */
export function gitProgram(path: string | undefined, project: string): string | null {
  const folders = path ?? USUAL_PATH;
  if (gits?.path !== folders) gits = { path: folders, programs: programsIn(folders, isWindows ? 'git.exe' : 'git') };
  // Every program lies below the root of the file system, which is no project.
  const isRoot = parse(project).root === project;
  return gits.programs.find((program) => isRoot || !isWithin(program, project)) ?? null;
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
