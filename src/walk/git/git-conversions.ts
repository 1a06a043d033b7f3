/**
 * Finds the files whose blob id in git's index is not that of the bytes on disk, because git converts contents between
 * disk and repository: line endings, $Id$, filters such as LFS, encodings. The index needs the id of the bytes on disk,
 * since results quote those. Line endings and $Id$ change the size of a file, so a comparison of sizes finds them. A
 * filter or an encoding may keep the size, so the ids of such files are never used.
 */
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { textInRepository, textOfRegularFile } from '../../model/runtime/repository-file.ts';
import { lstatQuietly } from '../lstat-quietly.ts';
import type { WalkOptions } from '../walk-project.ts';
import { runGit } from './process/git-process.ts';

/** Which conversions git may apply: none, only those that change the size of a file, or any. */
export type ConversionRisk = 'none' | 'size' | 'any';

/** git itself reads no larger attribute files. */
const MAX_BYTES = 100 << 20;

const SIZE_CHANGING = /^(?:text|crlf|ident)$|^(?:text|crlf|eol)=/;
const ANY_CHANGE = /^(?:filter|working-tree-encoding)=/;

export interface ConversionSettings {
  readonly autocrlf: string;
  /** The user's attributes file; '' for git's default path. */
  readonly attributesFile: string;
}

const settingsOf = new Map<string, { readonly stamp: string; readonly settings: ConversionSettings }>();

/** Reads the settings through git, and again only if a configuration file changed: it spares a process per walk. */
export async function readConversionSettings(git: GitFolders, signal?: AbortSignal): Promise<ConversionSettings> {
  const { workTree } = git;
  const stamp = configsOf(git).map(timeOf).join(' ');
  const known = settingsOf.get(workTree);
  if (known?.stamp === stamp) return known.settings;
  const args = ['config', '-z', '--get-regexp', '^core\\.(autocrlf|attributesfile)$'];
  const { code, stdout } = await runGit(workTree, args, signal ? { signal } : {});
  // 1: none of them is set.
  const records = code === 0 ? stdout.toString('utf8').split('\0') : [];
  const values = new Map(records.map((record) => [record.split('\n', 1)[0]!, record.slice(record.indexOf('\n') + 1)]));
  const settings = {
    autocrlf: values.get('core.autocrlf') ?? '',
    attributesFile: values.get('core.attributesfile') ?? '',
  };
  if (code === 0 || code === 1) settingsOf.set(workTree, { stamp, settings });
  return settings;
}

function configsOf({ commonDir }: GitFolders): string[] {
  return [join(commonDir, 'config'), join(homedir(), '.gitconfig'), join(homedir(), '.config', 'git', 'config')];
}

/** Changes with every file outside of the folder that decides about conversions: configuration and attributes. */
export function conversionFingerprint(root: string, git: GitFolders): string {
  return [...configsOf(git), ...attributesBeside(root, git, '')].map(timeOf).join(' ');
}

/** The attribute files outside of the folder that apply to it. */
function attributesBeside(root: string, { workTree, commonDir }: GitFolders, ofUser: string): string[] {
  const files: string[] = [];
  for (let folder = root; folder !== workTree && folder !== dirname(folder); ) {
    folder = dirname(folder);
    files.push(join(folder, '.gitattributes'));
  }
  const usual = join(homedir(), '.config', 'git', 'attributes');
  return [...files, join(commonDir, 'info', 'attributes'), ofUser || usual, '/etc/gitattributes'];
}

export interface GitFolders {
  readonly workTree: string;
  readonly commonDir: string;
}

/**
 * The conversions that the configuration and the attribute files ask for. A negative attribute (`-text`) matches no
 * pattern here, so it adds no risk.
 */
export function findConversionRisk(
  root: string,
  git: GitFolders,
  paths: readonly string[],
  settings: ConversionSettings,
): ConversionRisk {
  const inside = paths.filter((path) => path.endsWith('.gitattributes'));
  const beside = attributesBeside(root, git, settings.attributesFile.replace(/^~(?=\/)/, homedir()));
  const texts = [
    ...inside.map((path) => textInRepository(root, path, MAX_BYTES)),
    ...beside.map((file) => textOfRegularFile(file, MAX_BYTES)),
  ];

  const converts = /^(?:true|input|yes|on|1)$/i.test(settings.autocrlf);
  let risk: ConversionRisk = converts ? 'size' : 'none';
  for (const text of texts)
    for (const line of text?.split('\n') ?? []) {
      if (line.startsWith('#')) continue;
      for (const token of line.trim().split(/\s+/).slice(1)) {
        if (ANY_CHANGE.test(token)) return 'any';
        if (SIZE_CHANGING.test(token)) risk = 'size';
      }
    }
  return risk;
}

/** The tracked paths whose blob id is not, or may not be, that of the bytes on disk. */
export async function findConverted(
  root: string,
  tracked: ReadonlyMap<string, { readonly blobId: string | null }>,
  risk: ConversionRisk,
  { signal, known }: Pick<WalkOptions, 'signal' | 'known'>,
): Promise<string[]> {
  const options = signal ? { signal } : {};
  // join() for thousands of paths takes a third as long as their lstat() calls.
  const prefix = root.endsWith('/') ? root : `${root}/`;
  const trusted: [path: string, id: string, sizeOnDisk: number][] = [];
  for (const [path, { blobId }] of tracked) {
    if (blobId === null) continue;
    const stat = lstatQuietly(prefix + path);
    const before = stat && known?.(path);
    if (before?.blobId === blobId && before.size === stat?.size && before.mtimeMs === stat.mtimeMs) continue;
    trusted.push([path, blobId, stat?.size ?? -1]);
  }
  if (trusted.length === 0) return [];
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
  const converted = trusted.filter(([, , size], i) => Number(lines[i]) !== size).map(([path]) => path);
  const fields = attributes?.stdout.toString('utf8').split('\0') ?? [];
  for (let i = 0; i + 2 < fields.length; i += 3)
    if (fields[i + 2] !== 'unspecified' && fields[i + 2] !== 'unset') converted.push(fields[i]!);
  return converted;
}

function timeOf(path: string): number {
  return lstatQuietly(path)?.mtimeMs ?? 0;
}
