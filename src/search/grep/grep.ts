/**
 * Searches exact text and regular expressions with ripgrep, because the index holds words without punctuation. A
 * pattern never becomes an option and never runs in a backtracking engine.
 */

import { join } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { GrepAnswer, GrepRequest } from '../../model/records/query.ts';
import { withTextFile } from '../../model/runtime/open-files.ts';
import { startPatientTimeout } from '../../model/runtime/patient-timeout.ts';
import { compareText, nameOf } from '../../model/text/path-text.ts';
import { compileGlobs, findIgnored, lstatQuietly, type PathMatcher } from '../../walk/index.ts';
import { GrepCollector } from './grep-collector.ts';
import { runRipgrep } from './ripgrep-process.ts';
import { SearchableFiles } from './searchable-files.ts';
import { collectJoinedMatches, joinTokenFiles } from './token-files.ts';

const DEFAULT_LIMIT = 50;
const TIMEOUT_MS = 10_000;
/** Bytes. Larger files are data, not code, and are searched only if the caller names them by path. */
const MAX_FILE_SIZE = '2M';
const MAX_NAMED_FILE_SIZE = '64M';

export interface GrepOptions {
  /** The folder belongs to a git repository; as in the walk, repositories inside it are then separate projects. */
  readonly inGit: boolean;
  readonly redact: boolean;
  /** Files of the folder that contain access tokens, according to the index. */
  readonly tokenFiles: readonly string[];
}

export async function grepFiles(root: string, request: GrepRequest, options: GrepOptions): Promise<GrepAnswer> {
  checkRequest(request);
  const deadline = startPatientTimeout(TIMEOUT_MS);
  try {
    return await searchUntil(deadline.signal, root, request, options);
  } finally {
    deadline.stop();
  }
}

async function searchUntil(
  deadline: AbortSignal,
  root: string,
  request: GrepRequest,
  options: GrepOptions,
): Promise<GrepAnswer> {
  const { inGit, redact, tokenFiles } = options;
  const wanted = request.filePattern ? compileGlobs([request.filePattern]) : () => true;
  const started = performance.now();
  const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline;
  const { lines, isIgnored } = await findIgnored(root, inGit, request.signal);
  const { limit = DEFAULT_LIMIT, contextLines = 2 } = request;
  const searchable = new SearchableFiles(root, { wanted, inGit, isIgnored, redact });
  const collector = new GrepCollector(searchable, { limit, contextLines, tokenFiles: new Set(tokenFiles) });
  const tokenFileMatches = await searchTokenFiles(root, request, searchable, tokenFiles, signal);
  const { code, stderrText } = await withTextFile(lines, async (ignoreFile) => {
    const files = fileArgs(root, request, ignoreFile);
    const args = ['--sort=path', ...files, ...patternArgs(request), '--', '.'];
    const ended = await runRipgrep({ root, args, signal }, (line) => collector.take(line));
    const isWanted = (path: string) => wanted(path) && !isIgnored(path);
    if (opensExcludedFiles(request.filePattern))
      collector.filesSearched = await countFiles(root, files, isWanted, signal);
    return ended;
  });
  if (request.signal?.aborted) throw new EngineError('cancelled');
  const answer = mergeAnswers(collector.answer(deadline.aborted), tokenFileMatches?.answer(deadline.aborted), limit);
  if (answer.totalMatches === 0) {
    if (deadline.aborted) throw new EngineError('timeout', { what: 'The search', timeoutMs: TIMEOUT_MS });
    // Exit code 2 with matches means that some file could not be read; the other matches are valid.
    if (code === 2 && /regex|pattern|repetition|group|escape|class|look-around|backreference/i.test(stderrText))
      throw new EngineError('invalid_pattern', { pattern: request.pattern, reason: firstErrorLine(stderrText) });
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

/** Null without token files, as in nearly all projects. */
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
  const searchedFiles = tokenFiles.filter((path) => !isExcluded(path));
  const { text, pieces } = joinTokenFiles(searchable, searchedFiles, contextLines);
  const collector = new GrepCollector(searchable, { limit, contextLines, tokenFiles: new Set() });
  const args = ['--no-config', ...patternArgs(request), '--', '-'];
  if (text !== '') await runRipgrep({ root, args, signal, input: text }, collectJoinedMatches(pieces, collector));
  return collector;
}

/** Merges the matches in token files with the others, in ripgrep's order of paths. */
function mergeAnswers<Found extends Omit<GrepAnswer, 'durationMs'>>(
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

/** Orders paths folder by folder, as ripgrep does. */
function comparePaths(one: string, other: string): number {
  return compareText(one.replaceAll('/', '\0'), other.replaceAll('/', '\0'));
}

const CASE_FLAGS: Readonly<Record<string, string>> = {
  true: '--case-sensitive',
  smart: '--smart-case',
  false: '--ignore-case',
};

/** ripgrep's arguments for the pattern and the form of its output. */
function patternArgs(request: GrepRequest): string[] {
  const args = [
    '--json',
    `--context=${request.contextLines ?? 2}`,
    CASE_FLAGS[String(request.caseSensitive ?? false)]!,
  ];
  // A line ends before its carriage return; ripgrep refuses patterns that contain one together with this option.
  if (!/\r|\\r/.test(request.pattern)) args.push('--crlf');
  return [...args, `--regexp=${matchOncePerLine(request)}`];
}

/**
 * Extends the pattern so that the first match consumes the rest of its line. ripgrep would report every match of a
 * line, for `.` a million in a line of a megabyte, but grep counts lines.
 */
function matchOncePerLine({ pattern, literal }: GrepRequest): string {
  return `(?:${literal ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern}).*`;
}

/** ripgrep's arguments for the files to search. ripgrep reads no ignore files of the project itself. */
function fileArgs(root: string, request: GrepRequest, ignoreFile: string | null): string[] {
  const rules = ['--no-ignore', ...(ignoreFile === null ? [] : [`--ignore-file=${ignoreFile}`])];
  const { filePattern } = request;
  const isFile = filePattern !== undefined && namesOneFile(root, filePattern);
  const size = isFile ? MAX_NAMED_FILE_SIZE : MAX_FILE_SIZE;
  const args = ['--no-config', '--hidden', ...rules, `--max-filesize=${size}`, '--glob=!.git/'];
  if (filePattern && (isFile || namesFilePattern(filePattern)))
    args.push(`--type-add=wanted:${nameOf(filePattern)}`, '--type=wanted');
  for (const folder of request.exclude ?? []) args.push(`--glob=!**/${folder}/**`);
  return args;
}

/**
 * Whether the last part of the glob can serve as a file type for ripgrep, which then opens fewer files. `--glob` would
 * override ignore rules. The collector applies the whole glob to the matches.
 */
function namesFilePattern(filePattern: string): boolean {
  const name = nameOf(filePattern);
  return /^[\w.*?-]*$/.test(name) && /[*?]/.test(name) && !/^\**$/.test(name) && !filePattern.startsWith('!');
}

function namesOneFile(root: string, filePattern: string): boolean {
  return /^[\w./-]+$/.test(filePattern) && lstatQuietly(join(root, filePattern))?.isFile() === true;
}

/** Whether ripgrep opens files that the glob excludes, which makes its number of searched files wrong. */
function opensExcludedFiles(filePattern: string | undefined): boolean {
  return filePattern !== undefined && !(namesFilePattern(filePattern) && /^(?:\*\*\/)?[^/]+$/.test(filePattern));
}

async function countFiles(
  root: string,
  files: readonly string[],
  isWanted: PathMatcher,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  // ripgrep fails if there is no file at all.
  await runRipgrep({ root, args: ['--files', '--null', ...files], signal }, (line) => {
    for (const path of line.split('\0')) if (path !== '' && isWanted(path.replaceAll('\\', '/'))) count++;
    return true;
  }).catch(() => undefined);
  return count;
}

function firstErrorLine(stderrText: string): string {
  const line =
    stderrText
      .split('\n')
      .map((text) => text.trim())
      .filter((text) => /^error:/i.test(text))
      .at(0) ??
    stderrText.split('\n').find((text) => text.trim() !== '') ??
    '';
  return line.replace(/^(?:rg: |error: )+/i, '').trim();
}
