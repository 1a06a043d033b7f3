/** Exact text and regular expressions, through ripgrep: the index knows words, not punctuation. The pattern is never an option, never run by a backtracking engine. */

import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { GrepAnswer, GrepRequest } from '../../model/records/query.ts';
import { piped, withTextFile } from '../../model/runtime/open-files.ts';
import { nameOf } from '../../model/text/path-text.ts';
import { compileGlobs, findIgnored, lstatQuietly, type PathMatcher, ripgrepProgram } from '../../walk/index.ts';
import { GrepCollector } from './grep-collector.ts';

const DEFAULT_LIMIT = 50;
const TIMEOUT_MS = 10_000;
/** Counting goes on past the limit, but not for ever. */
const MAX_COUNTED = 100_000;
/** Bytes; larger files are data, not code. Who names a file by its path means it. */
const MAX_FILE_SIZE = '2M';
const MAX_NAMED_FILE_SIZE = '64M';

/** `inGit`: the folder belongs to a repository, so that others inside it are projects of their own, as they are to the walk. */
export async function grepFiles(root: string, request: GrepRequest, inGit: boolean): Promise<GrepAnswer> {
  if (request.pattern === '') throw new EngineError('invalid_input', { reason: 'The pattern is empty.' });
  if (request.pattern.includes('\0'))
    throw new EngineError('invalid_pattern', {
      pattern: request.pattern.replaceAll('\0', '\\0'),
      reason: 'it contains a NUL byte',
    });
  if (request.exclude?.some((folder) => folder.includes('\0')))
    throw new EngineError('invalid_input', { reason: 'A folder to leave out contains a NUL byte.' });
  const wanted = request.filePattern ? compileGlobs([request.filePattern]) : () => true;
  const started = performance.now();
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const { lines, isIgnored } = await findIgnored(root, inGit, request.signal);
  const { limit = DEFAULT_LIMIT, contextLines: context = 2 } = request;
  const collector = new GrepCollector(root, { limit, context, wanted, inGit, isIgnored });
  const { code, complaint } = await withTextFile(lines, async (ignoreFile) => {
    const files = filesOf(root, request, ignoreFile);
    const ended = await ripgrep(root, argumentsOf(request, files), request, collector, deadline);
    if (opensMore(request.filePattern)) collector.filesSearched = await countFiles(root, files, wanted, isIgnored);
    return ended;
  });
  if (request.signal?.aborted) throw new EngineError('cancelled');
  const timedOut = deadline.aborted;
  if (timedOut && collector.total === 0)
    throw new EngineError('timeout', { what: 'The search', timeoutMs: TIMEOUT_MS });
  // 2 with matches means that some file could not be read: the rest is still an answer.
  if (
    code === 2 &&
    collector.total === 0 &&
    /regex|pattern|repetition|group|escape|class|look-around|backreference/i.test(complaint)
  ) {
    throw new EngineError('invalid_pattern', { pattern: request.pattern, reason: firstReason(complaint) });
  }
  return collector.answer(performance.now() - started, timedOut);
}

async function ripgrep(
  root: string,
  args: readonly string[],
  request: GrepRequest,
  collector: GrepCollector,
  deadline: AbortSignal,
): Promise<{ code: number | null; complaint: string }> {
  const child = piped(spawn(ripgrepProgram(), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] }));
  let complaint = '';
  const stop = () => child.kill('SIGKILL');
  const signals = [deadline, ...(request.signal ? [request.signal] : [])];
  for (const signal of signals) signal.addEventListener('abort', stop, { once: true });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < 2000) complaint += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new EngineError('unsupported', { what: 'grep', reason: error.message }, error)),
    );
    child.once('close', (code) => resolve(code));
  });
  try {
    const lines = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on('line', (line) => {
      // What comes after the stop would make the count a matter of chance.
      if (collector.total < MAX_COUNTED) collector.take(line);
      else stop();
    });
    return { code: await ended, complaint };
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', stop);
  }
}

function argumentsOf(request: GrepRequest, files: readonly string[]): string[] {
  const args = [
    '--json',
    '--sort=path',
    `--context=${request.contextLines ?? 2}`,
    request.caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...files,
  ];
  // A line ends before its carriage return, too; who names one looks for it, and ripgrep refuses that then.
  if (!/\r|\\r/.test(request.pattern)) args.push('--crlf');
  return [...args, `--regexp=${oncePerLine(request)}`, '--', '.'];
}

/**
 * A line counts once, but ripgrep tells every match in it: of a line of a megabyte, a million of them for `.`, which took longer than a
 * search may. So the first match takes the rest of its line along.
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
 * The pattern's last part becomes a file type, which spares ripgrep most files. Not a --glob: one that names files overrides the ignore rules.
 * The whole pattern is applied to what ripgrep finds.
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
  wanted: PathMatcher,
  isIgnored: (path: string) => boolean,
): Promise<number> {
  const options = { cwd: root, maxBuffer: 1 << 30, timeout: TIMEOUT_MS };
  // It fails where there is no file at all.
  const { stdout } = await promisify(execFile)(ripgrepProgram(), ['--files', '--null', ...files], options).catch(
    () => ({ stdout: '' }),
  );
  const paths = stdout.split('\0').map((path) => path.replaceAll('\\', '/'));
  return paths.filter((path) => path !== '' && wanted(path) && !isIgnored(path)).length;
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
