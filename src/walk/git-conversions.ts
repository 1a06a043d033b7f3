/**
 * Where git converts contents between disk and repository (line endings, $Id$, filters such as LFS, encodings) the blob id in its index is
 * not that of the bytes on disk, and results quote the disk. Line endings and $Id$ change the size, so comparing sizes finds them; a filter or an
 * encoding may keep it, so those files are simply not trusted.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type GitOutcome, runGit } from './git-process.ts';

export type ConversionRisk = 'none' | 'size' | 'any';

const SIZE_CHANGING = /^(?:text|crlf|ident)$|^(?:text|crlf|eol)=/;
const ANY_CHANGE = /^(?:filter|working-tree-encoding)=/;

/** What the configuration and the attribute files in reach can do. A token that switches something off converts nothing. */
export function findConversionRisk(
  root: string,
  workTree: string,
  paths: readonly string[],
  config: GitOutcome,
): ConversionRisk {
  const settings = new Map<string, string>();
  if (config.code === 0)
    for (const record of config.stdout.toString('utf8').split('\0')) {
      const [key, value] = record.split('\n');
      if (key) settings.set(key, value ?? '');
    }
  const files = paths.filter((path) => path.endsWith('.gitattributes')).map((path) => join(root, path));
  for (let folder = root; folder !== workTree && folder !== dirname(folder); ) {
    folder = dirname(folder);
    files.push(join(folder, '.gitattributes'));
  }
  const global = settings.get('core.attributesfile') ?? join(homedir(), '.config', 'git', 'attributes');
  files.push(join(workTree, '.git', 'info', 'attributes'), global.replace(/^~(?=\/)/, homedir()), '/etc/gitattributes');

  const converts = /^(?:true|input|yes|on|1)$/i.test(settings.get('core.autocrlf') ?? '');
  let risk: ConversionRisk = converts ? 'size' : 'none';
  for (const file of files)
    for (const line of readText(file).split('\n')) {
      if (line.startsWith('#')) continue;
      for (const token of line.trim().split(/\s+/).slice(1)) {
        if (ANY_CHANGE.test(token)) return 'any';
        if (SIZE_CHANGING.test(token)) risk = 'size';
      }
    }
  return risk;
}

/** Paths whose id must not be used. */
export async function findConverted(
  root: string,
  tracked: ReadonlyMap<string, string | null>,
  risk: ConversionRisk,
  signal?: AbortSignal,
): Promise<string[]> {
  const options = signal ? { signal } : {};
  const trusted = [...tracked].filter((entry): entry is [string, string] => entry[1] !== null);
  const [sizes, attributes] = await Promise.all([
    runGit(root, ['cat-file', '--buffer', '--batch-check=%(objectsize)'], {
      ...options,
      input: trusted.map(([, id]) => `${id}\n`).join(''),
    }),
    risk === 'any'
      ? runGit(root, ['check-attr', '-z', '--stdin', 'filter', 'working-tree-encoding'], {
          ...options,
          input: trusted.map(([path]) => `${path}\0`).join(''),
        })
      : null,
  ]);
  if (sizes.code !== 0 || (attributes !== null && attributes.code !== 0)) return trusted.map(([path]) => path);
  const lines = sizes.stdout.toString('latin1').split('\n');
  const converted = trusted
    .filter(([path], i) => Number(lines[i]) !== sizeOnDisk(join(root, path)))
    .map(([path]) => path);
  const fields = attributes?.stdout.toString('utf8').split('\0') ?? [];
  for (let i = 0; i + 2 < fields.length; i += 3)
    if (fields[i + 2] !== 'unspecified' && fields[i + 2] !== 'unset') converted.push(fields[i]!);
  return converted;
}

function sizeOnDisk(path: string): number {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.size ?? -1;
  } catch {
    return -1;
  }
}

function readText(path: string): string {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}
