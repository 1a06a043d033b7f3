/** Walks a ref: applies the rules of a live folder to git's objects, without a checkout. Every file has its blob id. */
import { posix } from 'node:path';
import type { SkippedFile, WalkedFile } from '../../model/records/source-file.ts';
import { createIgnoreRules, type IgnoreRules } from '../rules/ignore-rules.ts';
import { createPathFilter, type PathFilterOptions, tidySkipped } from '../rules/path-filter.ts';
import { listRef, type RefFile, readBlobs } from './git-refs.ts';

export interface RefWalk {
  readonly commit: string;
  /** Sorted by path (UTF-16 order). Times are 0: the contents of a ref are compared by blob id. */
  readonly files: readonly (WalkedFile & { readonly blobId: string })[];
  readonly skipped: readonly SkippedFile[];
}

const LINK = '120000';
const SUBMODULE = '160000';
const OWN_FILE = '.sextantignore';

/** Throws not_a_repository, ref_not_found, invalid_pattern, cancelled. `root` may be a bare repository. */
export async function walkRef(
  root: string,
  ref: string,
  options: PathFilterOptions,
  signal?: AbortSignal,
): Promise<RefWalk> {
  const ownRules = createIgnoreRules();
  const filter = createPathFilter(options, ownRules);
  const listing = await listRef(root, ref, signal);
  const texts = await readTexts(root, listing.files.filter(isSmallText), signal);
  const hasOwnRules = addOwnRules(listing.files, texts, ownRules);
  // Without rules of its own, the ref's paths get the verdicts of the earlier walk. Judging each path again took a
  // sixth of the time of indexing a second branch.
  const earlier = hasOwnRules ? null : (options.earlier?.() ?? null);

  const files: (WalkedFile & { readonly blobId: string })[] = [];
  const skipped = new Map<string, SkippedFile>();
  const skip = (entry: SkippedFile) => skipped.set(entry.path, entry);
  const links: RefFile[] = [];
  for (const path of listing.invalidNames) skip({ path, reason: 'invalid_name', detail: 'name is not UTF-8' });
  for (const file of listing.files) {
    const { path, size, mode, blobId } = file;
    const before = mode === LINK || mode === SUBMODULE ? null : earlier?.file(path);
    const verdict = before?.blobId === blobId ? before.flags : mode === SUBMODULE ? 0 : filter.judge(path);
    if (mode === SUBMODULE) skip({ path: `${path}/`, reason: 'submodule', detail: 'submodule' });
    else if (typeof verdict !== 'number') skip(verdict);
    else if (mode === LINK) links.push(file);
    else if (size > options.maxFileBytes) skip({ path, reason: 'too_large', detail: `${size} bytes` });
    else files.push({ path, size, mtimeMs: 0, changedMs: 0, blobId, flags: verdict });
  }
  const listed = new Set(files.map(({ path }) => path));
  for (const link of links) {
    const entry = judgeRefLink(link.path, texts.get(link.blobId) ?? '', listed);
    if (entry) skip(entry);
  }
  return {
    commit: listing.commit,
    files,
    skipped: tidySkipped(skipped.values()),
  };
}

function isSmallText({ mode, path, size }: RefFile): boolean {
  return size < 100_000 && (mode === LINK || path === OWN_FILE || path.endsWith(`/${OWN_FILE}`));
}

/** Adds the rules of the ref's .sextantignore files; false if it has none. */
function addOwnRules(files: readonly RefFile[], texts: ReadonlyMap<string, string>, rules: IgnoreRules): boolean {
  const own = files.filter(({ path, mode }) => mode !== LINK && (path === OWN_FILE || path.endsWith(`/${OWN_FILE}`)));
  for (const { path, blobId } of own) rules.add(path.slice(0, -OWN_FILE.length - 1), texts.get(blobId) ?? '');
  return own.length > 0;
}

/** Why a link is skipped. Null if its target is listed: then it needs no entry, as on disk. */
function judgeRefLink(path: string, target: string, listed: ReadonlySet<string>): SkippedFile | null {
  const resolved = posix.join(posix.dirname(path), target).replace(/\/$/, '');
  if (posix.isAbsolute(target) || resolved === '..' || resolved.startsWith('../'))
    return { path, reason: 'link_outside_root', detail: 'leads out of the project' };
  if (resolved === '.' || resolved === path || path.startsWith(`${resolved}/`))
    return { path, reason: 'link_cycle', detail: 'leads to itself or a folder above it' };
  if (listed.has(resolved)) return null;
  for (const other of listed) if (other.startsWith(`${resolved}/`)) return null;
  return { path, reason: 'excluded', detail: `link to ${resolved}, which is not listed` };
}

async function readTexts(root: string, files: readonly RefFile[], signal?: AbortSignal): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (files.length === 0) return texts;
  for await (const { id, bytes } of readBlobs(root, new Set(files.map((file) => file.blobId)), signal))
    texts.set(id, Buffer.from(bytes).toString('utf8'));
  return texts;
}
