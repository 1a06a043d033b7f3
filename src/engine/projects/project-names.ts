/**
 * The name of a registered project in addresses (`/p/NAME/mcp`). A name belongs to one folder for good: it is a file
 * that exactly one process can create, and it stays when the project is removed, so that an address in an agent's
 * settings never comes to mean another project.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EngineError, unwritable } from '../../model/records/engine-errors.ts';
import { makeFolder } from '../../store/index.ts';
import { registeredRoots } from './project-registry.ts';

const LONGEST = 64;
const NAME = /^[a-z0-9][a-z0-9._-]*$/;

export interface NamedProject {
  readonly name: string;
  readonly root: string;
}

/** Registered projects by name. One without a name gets it now. */
export function namedProjects(home: string): readonly NamedProject[] {
  const roots = registeredRoots(home);
  return roots
    .map((root) => ({ name: projectName(home, root), root }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The registered project of that name, or null. */
export function projectNamed(home: string, name: string): string | null {
  const root = NAME.test(name) ? rootOf(home, name) : null;
  return root !== null && registeredRoots(home).includes(root) ? root : null;
}

/** The name it has, else `wanted`, else its folder's. Throws where `wanted` belongs to another project. */
export function projectName(home: string, root: string, wanted?: string): string {
  const has = knownNames(home).find((name) => rootOf(home, name) === root);
  if (wanted !== undefined && wanted !== has) {
    checkName(wanted);
    if (has !== undefined)
      throw new EngineError('invalid_input', { reason: `${root} has the name ${has} already; a name is for good.` });
    if (!claim(home, wanted, root))
      throw new EngineError('invalid_input', {
        reason: `The name ${wanted} belongs to ${rootOf(home, wanted)}; pass another with --name.`,
      });
    return wanted;
  }
  if (has !== undefined) return has;
  const plain = nameOfFolder(root);
  for (let number = 1; ; number++) {
    const name = number === 1 ? plain : `${plain}-${number}`;
    if (claim(home, name, root)) return name;
  }
}

function checkName(name: string): void {
  if (name.length <= LONGEST && NAME.test(name)) return;
  const form = `small letters, digits, ".", "_" and "-", ${LONGEST} at most`;
  const reason = `A project's name has ${form}, not ${JSON.stringify(name)}.`;
  throw new EngineError('invalid_input', { reason });
}

/** Small letters: some file systems and people do not tell them from large ones. */
function nameOfFolder(root: string): string {
  const plain = basename(root)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, LONGEST - 4);
  return plain === '' ? 'project' : plain;
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

/** False where the name is another project's. */
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
