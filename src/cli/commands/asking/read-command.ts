import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Engine } from '../../../engine/engine.ts';
import { similarPaths } from '../../../engine/files/similar-paths.ts';
import { EngineError, ErrorWithFix } from '../../../model/records/engine-errors.ts';
import type { ReadFileAnswer } from '../../../model/records/query.ts';
import { parseScope } from '../../../model/records/scope.ts';
import { isWithin, pathFrom } from '../../../model/text/is-within.ts';
import { readPlace } from '../../../model/text/parse-place.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PLACE_FLAGS } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { renderSnippet } from '../../render/snippet.ts';
import { printable, printableLine } from '../../render/terminal-text.ts';
import { bytes, plural } from '../../render/units.ts';
import { untrustedNotes } from '../../render/untrusted-note.ts';
import type { Screen } from '../../running/command-session.ts';
import { targetOf } from '../../running/command-target.ts';

export const read = defineCommand({
  name: 'read',
  group: 'ask',
  summary: 'Show a file, its outline or its dependencies',
  operands: {
    file: {
      value: 'FILE',
      required: true,
      completes: 'file',
      help:
        'A file of the project: relative to its root or to this folder, or absolute; FILE:10-20 shows a range of ' +
        'lines',
    },
  },
  flags: {
    ...PLACE_FLAGS,
    outline: { kind: 'boolean', help: 'The symbols only' },
    dependencies: { kind: 'boolean', help: 'List the files it imports' },
    dependants: { kind: 'boolean', help: 'List the files that import it' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant read src/auth.ts:10-40', meaning: 'a range of lines' },
    { line: 'sextant read src/auth.ts --outline', meaning: 'its symbols' },
    { line: 'sextant read src/auth.ts --dependants', meaning: 'who imports it' },
  ],
  json: [
    { field: 'path', meaning: 'file, relative to the project' },
    { field: 'content', meaning: 'the requested lines' },
    { field: 'start_line', meaning: 'first line shown' },
    { field: 'end_line', meaning: 'last line shown' },
    { field: 'size', meaning: 'bytes of the file' },
    { field: 'lines', meaning: 'lines of the file' },
    { field: 'language', meaning: 'language' },
    { field: 'module', meaning: 'module of the project' },
    { field: 'role', meaning: 'core, test, config, entry, barrel, generated, vendored, example or documentation' },
    { field: 'last_modified_ms', meaning: 'milliseconds since 1970' },
    { field: 'indexed', meaning: 'whether this content is indexed; if not, the fields below are empty' },
    { field: 'outline[].symbol_id', meaning: 'handle of a symbol' },
    { field: 'outline[].name', meaning: 'its name' },
    { field: 'outline[].kind', meaning: 'its kind' },
    { field: 'outline[].signature', meaning: 'its declaration' },
    { field: 'outline[].start_line', meaning: 'its first line' },
    { field: 'outline[].end_line', meaning: 'its last line' },
    { field: 'outline[].depth', meaning: 'nesting, from 0' },
    { field: 'dependencies[].path', meaning: 'a file of the project that it imports' },
    { field: 'dependencies[].source', meaning: 'the import as written' },
    { field: 'external_dependencies[]', meaning: 'imports from outside the project' },
    { field: 'dependants[]', meaning: 'files that import it' },
    { field: 'problems[].line', meaning: 'line of a syntax error' },
    { field: 'problems[].message', meaning: 'what is wrong there' },
  ],
  async run({ flags, operands }, session) {
    const path = targetOf(session, flags);
    const engine = await session.engine(path);
    const { path: file, startLine, endLine } = readPlace(operands.file);
    const request = {
      path: parseScope(path) ? file : pathInProject(file, await engine.root(path), path === '.' ? session.cwd : null),
      outlineOnly: flags.outline ?? false,
      includeDependencies: flags.dependencies ?? flags.format !== undefined,
      includeDependants: flags.dependants ?? false,
      ...(startLine === undefined ? {} : { startLine }),
      ...(endLine === undefined ? {} : { endLine }),
    };
    const answer = await engine.readFile(path, request).catch(async (error) => {
      throw await suggestSimilarPaths(engine, path, error);
    });
    await printAnswer(session, flags.format, fileJson(answer), (screen) => {
      if (flags.outline) return outlineLines(answer, screen);
      if (flags.dependencies || flags.dependants) return relationLines(answer, flags.dependants ?? false, screen);
      return contentLines(answer, screen);
    });
    for (const note of await untrustedNotes([answer])) session.say(note);
  },
});

/**
 * Finds the file that a path means: answers name files relative to the project's root, a shell completes them relative
 * to the current folder, and editors copy absolute paths. A path outside of the project stays unchanged, and the engine
 * refuses it.
 */
function pathInProject(file: string, root: string, cwd: string | null): string {
  if (!isAbsolute(file) && (cwd === null || existsSync(join(root, file)))) return file;
  const absolute = resolve(cwd ?? root, file);
  const isThere = isAbsolute(file) || existsSync(absolute);
  return isThere && isWithin(absolute, root) ? pathFrom(root, absolute) : file;
}

/** Adds similar paths to a file_not_found error; returns other errors unchanged. */
async function suggestSimilarPaths(engine: Engine, project: string, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof EngineError) || thrown.code !== 'file_not_found') return thrown;
  const similar = await similarPaths(engine, project, String(thrown.data.path));
  if (similar.length === 0) return thrown;
  const fix = `Pass one of these, or search for its name: ${similar.join(', ')}`;
  return new ErrorWithFix(thrown.code, thrown.data, fix, thrown);
}

function contentLines(answer: ReadFileAnswer, screen: Screen): string[] {
  if (!screen.isTerminal) return [printable(answer.content).replace(/\n$/, '')];
  const { style } = screen;
  const facts = `${plural(answer.lines, 'line')} · ${bytes(answer.size)} · ${answer.language} · ${answer.role}`;
  return [
    `${style.cyan(printableLine(answer.path))} ${style.grey(facts)}`,
    ...renderSnippet(answer.content, {
      language: answer.language,
      startLine: answer.startLine,
      terms: new Set(),
      maxLines: Number.MAX_SAFE_INTEGER,
      columns: screen.columns,
      style,
      indent: '',
    }),
  ];
}

const UNKNOWN = 'The index does not hold this content: run `sextant index` first.';

function outlineLines(answer: ReadFileAnswer, { style }: Screen): string[] {
  if (!answer.indexed) return [UNKNOWN];
  if (answer.outline.length === 0) return [`No symbols in ${printableLine(answer.path)}.`];
  return answer.outline.map(
    (entry) =>
      `${style.grey(String(entry.startLine).padStart(5))} ${'  '.repeat(entry.depth)}${style.grey(entry.kind)} ` +
      `${printableLine(entry.signature || entry.name)}`,
  );
}

function relationLines(answer: ReadFileAnswer, dependants: boolean, { style }: Screen): string[] {
  if (dependants)
    return answer.dependants.length > 0 ? answer.dependants.map(printableLine) : ['No file of the project imports it.'];
  if (!answer.indexed) return [UNKNOWN];
  const lines = answer.dependencies.map(
    (d) => `${style.cyan(printableLine(d.path))} ${style.grey(printableLine(d.source))}`,
  );
  lines.push(...answer.externalDependencies.map((name) => `${printableLine(name)} ${style.grey('external')}`));
  return lines.length > 0 ? lines : ['It imports nothing.'];
}

function fileJson(answer: ReadFileAnswer) {
  return {
    path: answer.path,
    content: answer.content,
    start_line: answer.startLine,
    end_line: answer.endLine,
    size: answer.size,
    lines: answer.lines,
    language: answer.language,
    module: answer.module,
    role: answer.role,
    last_modified_ms: answer.lastModifiedMs,
    indexed: answer.indexed,
    outline: answer.outline.map((e) => ({
      symbol_id: e.symbolId,
      name: e.name,
      kind: e.kind,
      signature: e.signature,
      start_line: e.startLine,
      end_line: e.endLine,
      depth: e.depth,
    })),
    dependencies: answer.dependencies.map(({ path, source }) => ({ path, source })),
    external_dependencies: answer.externalDependencies,
    dependants: answer.dependants,
    problems: answer.problems.map(({ line, message }) => ({ line, message })),
  };
}
