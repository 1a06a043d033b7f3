/**
 * Exact text and regular expressions, through ripgrep: the index knows words, not punctuation. The pattern is never an
 * option, never run by a backtracking engine.
 */

import { join } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { GrepAnswer, GrepRequest } from '../../model/records/query.ts';
import { withTextFile } from '../../model/runtime/open-files.ts';
import { nameOf } from '../../model/text/path-text.ts';
import { compileGlobs, findIgnored, lstatQuietly, type PathMatcher } from '../../walk/index.ts';
import { GrepCollector } from './grep-collector.ts';
import { runRipgrep } from './ripgrep-process.ts';
import { SearchableFiles } from './searchable-files.ts';
import { joinTokenFiles, takeJoined } from './token-files.ts';

const DEFAULT_LIMIT = 50;
const TIMEOUT_MS = 10_000;
/** Bytes; larger files are data, not code. Who names a file by its path means it. */
const MAX_FILE_SIZE = '2M';
const MAX_NAMED_FILE_SIZE = '64M';

export interface GrepOptions {
  /**
   * The folder belongs to a repository, so that others inside it are projects of their own, as they are to the walk.
   */
  readonly inGit: boolean;
  readonly redact: boolean;
  /** Files of the folder that the index knows to hold access tokens. */
  readonly tokenFiles: readonly string[];
}

export async function grepFiles(root: string, request: GrepRequest, options: GrepOptions): Promise<GrepAnswer> {
  checkRequest(request);
  const { inGit, redact, tokenFiles } = options;
  const wanted = request.filePattern ? compileGlobs([request.filePattern]) : () => true;
  const started = performance.now();
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline;
  const { lines, isIgnored } = await findIgnored(root, inGit, request.signal);
  const { limit = DEFAULT_LIMIT, contextLines = 2 } = request;
  const searchable = new SearchableFiles(root, { wanted, inGit, isIgnored, redact });
  const collector = new GrepCollector(searchable, { limit, contextLines, tokenFiles: new Set(tokenFiles) });
  const ofTokenFiles = await searchTokenFiles(root, request, searchable, tokenFiles, signal);
  const { code, complaint } = await withTextFile(lines, async (ignoreFile) => {
    const files = filesOf(root, request, ignoreFile);
    const args = ['--sort=path', ...files, ...patternOf(request), '--', '.'];
    const ended = await runRipgrep({ root, args, signal }, (line) => collector.take(line));
    const isWanted = (path: string) => wanted(path) && !isIgnored(path);
    if (opensMore(request.filePattern)) collector.filesSearched = await countFiles(root, files, isWanted, signal);
    return ended;
  });
  if (request.signal?.aborted) throw new EngineError('cancelled');
  const answer = together(collector.answer(deadline.aborted), ofTokenFiles?.answer(deadline.aborted), limit);
  if (answer.totalMatches === 0) {
    if (deadline.aborted) throw new EngineError('timeout', { what: 'The search', timeoutMs: TIMEOUT_MS });
    // 2 with matches means that some file could not be read: the rest is still an answer.
    if (code === 2 && /regex|pattern|repetition|group|escape|class|look-around|backreference/i.test(complaint))
      throw new EngineError('invalid_pattern', { pattern: request.pattern, reason: firstReason(complaint) });
  }
  return { ...answer, durationMs: performance.now() - started };
}

function checkRequest({ pattern, exclude }: GrepRequest): void {
  if (pattern === '') throw new EngineError('invalid_input', { reason: 'The pattern is empty.' });
  if (pattern.includes('\0'))
    throw new EngineError('invalid_pattern', {
      pattern: pattern.replaceAll('\0', '\\0'),
      reason: 'it contains a NUL byte',
    });
  if (exclude?.some((folder) => folder.includes('\0')))
    throw new EngineError('invalid_input', { reason: 'A folder to leave out contains a NUL byte.' });
}

/** Null where there are no such files, nearly always. */
async function searchTokenFiles(
  root: string,
  request: GrepRequest,
  searchable: SearchableFiles,
  tokenFiles: readonly string[],
  signal: AbortSignal,
): Promise<GrepCollector | null> {
  if (tokenFiles.length === 0) return null;
  const { limit = DEFAULT_LIMIT, contextLines = 2 } = request;
  const isExcluded = compileGlobs((request.exclude ?? []).map((folder) => `**/${folder}/**`));
  const asked = tokenFiles.filter((path) => !isExcluded(path));
  const { text, pieces } = joinTokenFiles(searchable, asked, contextLines);
  const collector = new GrepCollector(searchable, { limit, contextLines, tokenFiles: new Set() });
  const args = ['--no-config', ...patternOf(request), '--', '-'];
  if (text !== '') await runRipgrep({ root, args, signal, input: text }, takeJoined(pieces, collector));
  return collector;
}

/** What was found in files with tokens stands where it would stand without them: ripgrep goes by path. */
function together<Found extends Omit<GrepAnswer, 'durationMs'>>(
  one: Found,
  other: Found | undefined,
  limit: number,
): Found {
  if (other === undefined || other.totalMatches === 0) return one;
  const matches = [...one.matches, ...other.matches].sort((a, b) => comparePaths(a.path, b.path)).slice(0, limit);
  const totalMatches = one.totalMatches + other.totalMatches;
  return {
    ...one,
    matches,
    totalMatches,
    filesMatched: one.filesMatched + other.filesMatched,
    truncated: one.truncated || other.truncated || totalMatches > matches.length,
  };
}

/** Folder by folder. */
function comparePaths(one: string, other: string): number {
  const [a, b] = [one.replaceAll('/', '\0'), other.replaceAll('/', '\0')];
  return a < b ? -1 : a > b ? 1 : 0;
}

const CASE_FLAGS: Readonly<Record<string, string>> = {
  true: '--case-sensitive',
  smart: '--smart-case',
  false: '--ignore-case',
};

function patternOf(request: GrepRequest): string[] {
  const args = [
    '--json',
    `--context=${request.contextLines ?? 2}`,
    CASE_FLAGS[String(request.caseSensitive ?? false)]!,
  ];
  // A line ends before its carriage return, too; who names one looks for it, and ripgrep refuses that then.
  if (!/\r|\\r/.test(request.pattern)) args.push('--crlf');
  return [...args, `--regexp=${oncePerLine(request)}`];
}

/**
 * A line counts once, but ripgrep tells every match in it: of a line of a megabyte, a million of them for `.`, which
 * took longer than a search may. So the first match takes the rest of its line along.
 */
function oncePerLine({ pattern, literal }: GrepRequest): string {
  return `(?:${literal ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern}).*`;
}

/** Which files ripgrep opens. It reads no ignore file of the project by itself. */
function filesOf(root: string, request: GrepRequest, ignoreFile: string | null): string[] {
  const rules = ['--no-ignore', ...(ignoreFile === null ? [] : [`--ignore-file=${ignoreFile}`])];
  const { filePattern } = request;
  const isFile = filePattern !== undefined && namesOneFile(root, filePattern);
  const size = isFile ? MAX_NAMED_FILE_SIZE : MAX_FILE_SIZE;
  const args = ['--no-config', '--hidden', ...rules, `--max-filesize=${size}`, '--glob=!.git/'];
  if (filePattern && (isFile || namesFiles(filePattern)))
    args.push(`--type-add=wanted:${nameOf(filePattern)}`, '--type=wanted');
  for (const folder of request.exclude ?? []) args.push(`--glob=!**/${folder}/**`);
  return args;
}

/**
 * The pattern's last part becomes a file type, which spares ripgrep most files. Not a --glob: one that names files
 * overrides the ignore rules. The whole pattern is applied to what ripgrep finds.
 */
function namesFiles(filePattern: string): boolean {
  const name = nameOf(filePattern);
  return /^[\w.*?-]*$/.test(name) && /[*?]/.test(name) && !/^\**$/.test(name) && !filePattern.startsWith('!');
}

function namesOneFile(root: string, filePattern: string): boolean {
  return /^[\w./-]+$/.test(filePattern) && lstatQuietly(join(root, filePattern))?.isFile() === true;
}

/** Whether ripgrep opens files that the pattern does not want: then it cannot tell how many were searched. */
function opensMore(filePattern: string | undefined): boolean {
  return filePattern !== undefined && !(namesFiles(filePattern) && /^(?:\*\*\/)?[^/]+$/.test(filePattern));
}

async function countFiles(
  root: string,
  files: readonly string[],
  isWanted: PathMatcher,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  // It fails where there is no file at all.
  await runRipgrep({ root, args: ['--files', '--null', ...files], signal }, (line) => {
    for (const path of line.split('\0')) if (path !== '' && isWanted(path.replaceAll('\\', '/'))) count++;
    return true;
  }).catch(() => undefined);
  return count;
}

function firstReason(complaint: string): string {
  const line =
    complaint
      .split('\n')
      .map((text) => text.trim())
      .filter((text) => /^error:/i.test(text))
      .at(0) ??
    complaint.split('\n').find((text) => text.trim() !== '') ??
    '';
  return line.replace(/^(?:rg: |error: )+/i, '').trim();
}
