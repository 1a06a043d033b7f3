/** The repositories of the measurement: laid-out folders as git repositories, and others by their addresses. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { git } from '../../test/fleet/fleet-under-test.ts';

export interface BenchRepository {
  readonly name: string;
  /** A folder of this machine. */
  readonly url: string;
}

/** A folder that is not a repository becomes a commit of its files in a bare repository below `remotes`. */
export function layoutRepositories(layout: string, remotes: string): BenchRepository[] {
  const names = readdirSync(layout, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names.map(({ name }) => {
    const folder = join(layout, name);
    return { name, url: existsSync(join(folder, '.git')) ? folder : committed(folder, join(remotes, name)) };
  });
}

function committed(folder: string, remote: string): string {
  if (existsSync(join(remote, 'HEAD'))) return remote;
  mkdirSync(remote, { recursive: true });
  git(remote, 'init', '--quiet', '--bare', '--initial-branch=main');
  git(remote, '--work-tree', folder, 'add', '--all', '--force', '.');
  git(remote, '--work-tree', folder, 'commit', '--quiet', '--no-verify', '-m', 'laid out');
  return remote;
}

export function furtherRepositories(addresses: readonly string[]): BenchRepository[] {
  return addresses.map((url) => ({ name: basename(url.replace(/\/(?:repo|\.git)?\/?$/, '')).replace('+', '/'), url }));
}
