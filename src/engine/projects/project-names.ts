/**
 * The name of a registered project in URLs (`/p/NAME/mcp`). A name belongs to one folder forever: it is a file that
 * exactly one process can create, and it stays when the project is removed, so that a URL in an agent's settings never
 * comes to mean another project.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EngineError, unwritable } from '../../model/records/engine-errors.ts';
import { compareText } from '../../model/text/path-text.ts';
import { makeFolder } from '../../store/index.ts';
import { registeredRoots } from './project-registry.ts';

const MAX_NAME_CHARS = 64;
const NAME = /^[a-z0-9][a-z0-9._-]*$/;

export interface NamedProject {
  readonly name: string;
  readonly root: string;
}

/** The registered projects, sorted by name. A project without a name gets one now. */
export function namedProjects(home: string): readonly NamedProject[] {
  const roots = registeredRoots(home);
  return roots.map((root) => ({ name: projectName(home, root), root })).sort((a, b) => compareText(a.name, b.name));
}

/** The registered project of that name, or null. */
export function projectNamed(home: string, name: string): string | null {
  const root = NAME.test(name) ? rootOf(home, name) : null;
  return root !== null && registeredRoots(home).includes(root) ? root : null;
}

/**
 * The project's name: the existing one, else `wanted`, else one made from its folder. Throws invalid_input if `wanted`
 * belongs to another project.
 */
export function projectName(home: string, root: string, wanted?: string): string {
  const existing = knownNames(home).find((name) => rootOf(home, name) === root);
  if (wanted !== undefined && wanted !== existing) {
    checkName(wanted);
    if (existing !== undefined)
      throw new EngineError('invalid_input', {
        reason: `${root} has the name ${existing} already; a name is for good.`,
      });
    if (!claim(home, wanted, root))
      throw new EngineError('invalid_input', {
        reason: `The name ${wanted} belongs to ${rootOf(home, wanted)}; pass another with --name.`,
      });
    return wanted;
  }
  if (existing !== undefined) return existing;
  const base = nameOfFolder(root);
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (claim(home, name, root)) return name;
  }
}

function checkName(name: string): void {
  if (name.length <= MAX_NAME_CHARS && NAME.test(name)) return;
  const form = `small letters, digits, ".", "_" and "-", ${MAX_NAME_CHARS} at most`;
  const reason = `A project's name has ${form}, not ${JSON.stringify(name)}.`;
  throw new EngineError('invalid_input', { reason });
}

/** A folder's name as a project name. Lower case, because some file systems and people ignore case. */
function nameOfFolder(root: string): string {
  const base = basename(root)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, MAX_NAME_CHARS - 4);
  return base === '' ? 'project' : base;
}

function knownNames(home: string): readonly string[] {
  const folder = join(home, 'names');
  return existsSync(folder) ? readdirSync(folder).filter((name) => NAME.test(name)) : [];
}

function rootOf(home: string, name: string): string | null {
  try {
    return readFileSync(join(home, 'names', name), 'utf8').trimEnd();
  } catch {
    return null;
  }
}

/** Returns false if the name belongs to another project. */
function claim(home: string, name: string, root: string): boolean {
  const folder = join(home, 'names');
  try {
    makeFolder(folder);
    writeFileSync(join(folder, name), `${root}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return rootOf(home, name) === root;
    throw unwritable('store_unwritable', folder, error);
  }
}
