/**
 * Reads one file of a project: its content, role, imports and importers. The content comes from disk, so that a caller
 * sees the current file; the index adds structure.
 */
import { detectLanguage, isAmbiguous, PLAIN_TEXT } from '../../languages/registry.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type {
  FileDependency,
  FileRole,
  OutlineEntry,
  ReadFileAnswer,
  ReadFileRequest,
} from '../../model/records/query.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import type { ImportRecord, ParseProblem } from '../../model/records/symbol.ts';
import { type FileContent, FileRefused, isMissing, readRepositoryFile } from '../../model/runtime/repository-file.ts';
import { pathFrom } from '../../model/text/is-within.ts';
import { decodeUtf16, foldName, inspectContent, pathFlags, safeJoin } from '../../walk/index.ts';

export interface FileStructure {
  readonly outline: readonly OutlineEntry[];
  readonly imports: readonly ImportRecord[];
  readonly problems: readonly ParseProblem[];
}

export interface FileLinks {
  /** The files of the project that this file imports. */
  readonly dependencies: readonly { readonly path: string; readonly source: string }[];
  readonly external: readonly string[];
  readonly dependants: readonly string[];
}

export interface ReadFileInput {
  readonly root: string;
  readonly request: ReadFileRequest;
  readonly maxFileBytes: number;
  readonly moduleOf: (path: string) => string;
  /** The indexed structure of the content on disk; null if that content is not indexed. */
  readonly structureOf: (path: string, bytes: Uint8Array) => FileStructure | null;
  readonly linksOf: (path: string) => FileLinks | null;
}

export function readProjectFile({
  root,
  request,
  maxFileBytes,
  moduleOf,
  structureOf,
  linksOf,
}: ReadFileInput): ReadFileAnswer {
  const path = normalise(request.path);
  const { bytes, text, mtimeMs } = readSafely(root, path, maxFileBytes, request.refuse);
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const startLine = Math.max(1, request.startLine ?? 1);
  const endLine = Math.min(lines.length, request.endLine ?? lines.length);
  if (request.startLine !== undefined && lines.length > 0 && startLine > lines.length) {
    throw new EngineError('invalid_input', {
      reason: `${path} has ${lines.length} lines; line ${startLine} is past its end.`,
    });
  }
  if (request.endLine !== undefined && request.endLine < startLine) {
    throw new EngineError('invalid_input', {
      reason: `The range ends (${request.endLine}) before it begins (${startLine}).`,
    });
  }
  const structure = structureOf(path, bytes);
  const links = request.includeDependencies || request.includeDependants ? linksOf(path) : null;
  // The imports of an earlier content may not be those of this one. Importers do not depend on this content.
  const withDependencies = request.includeDependencies && structure !== null;
  const whole = startLine === 1 && endLine === lines.length;
  return {
    path,
    content: request.outlineOnly ? '' : whole ? text : lines.slice(startLine - 1, endLine).join('\n'),
    startLine,
    endLine,
    size: bytes.length,
    lines: lines.length,
    language: detectLanguage(path, isAmbiguous(path) ? text.slice(0, 8192) : '')?.id ?? PLAIN_TEXT,
    module: moduleOf(path),
    role: roleOf(path, structure),
    lastModifiedMs: mtimeMs,
    indexed: structure !== null,
    outline: structure?.outline ?? [],
    imports: structure?.imports ?? [],
    dependencies: withDependencies
      ? (links?.dependencies ?? []).map((link) => dependency({ root, request, maxFileBytes, structureOf }, link))
      : [],
    externalDependencies: withDependencies ? (links?.external ?? []) : [],
    dependants: request.includeDependants ? (links?.dependants ?? []) : [],
    problems: structure?.problems ?? [],
  };
}

type DependencyInput = Pick<ReadFileInput, 'root' | 'request' | 'maxFileBytes' | 'structureOf'>;

function dependency(
  { root, request, maxFileBytes, structureOf }: DependencyInput,
  link: FileLinks['dependencies'][number],
): FileDependency {
  const plain = { path: link.path, type: 'import', level: 1, source: link.source } as const;
  if (!request.includeDependencyContent) return plain;
  try {
    const { bytes, text } = readSafely(root, link.path, maxFileBytes, request.refuse);
    return { ...plain, content: text, outline: structureOf(link.path, bytes)?.outline ?? [] };
  } catch {
    // Deleted or forbidden since it was indexed: still a dependency, without its content.
    return plain;
  }
}

function readSafely(
  root: string,
  path: string,
  limit: number,
  refuse: ReadFileRequest['refuse'],
): { bytes: Buffer; text: string; mtimeMs: number } {
  const check = (named: string) => {
    const reason = refuse?.(named.split(/[/\\]/).map(foldName).join('/')) ?? null;
    if (reason !== null) throw new EngineError('path_forbidden', { path, reason });
  };
  check(path);
  const absolute = safeJoin(root, path);
  check(pathFrom(root, absolute));
  const { bytes, mtimeMs } = readVerified(root, path, pathFrom(root, absolute), limit);
  const verdict = inspectContent(bytes, path);
  if (verdict?.reason === 'binary') throw new EngineError('path_forbidden', { path, reason: 'it is a binary file' });
  if (verdict?.reason === 'secret') throw new EngineError('path_forbidden', { path, reason: 'it holds a secret' });
  return { bytes, text: decodeUtf16(bytes) ?? bytes.toString('utf8'), mtimeMs };
}

/**
 * Reads the very file that was checked: a file that replaced it since, above all a link out of the project, is refused.
 */
function readVerified(root: string, path: string, real: string, limit: number): FileContent {
  try {
    return readRepositoryFile(root, real, { maxBytes: limit });
  } catch (error) {
    if (!(error instanceof FileRefused)) {
      if (isMissing(error)) throw new EngineError('file_not_found', { path }, error);
      throw new EngineError('permission_denied', { path }, error);
    }
    if (error.reason === 'too_large')
      throw new EngineError('file_too_large', { path, bytes: error.bytes, limit }, error);
    throw new EngineError('path_forbidden', { path, reason: 'it changed while it was opened' }, error);
  }
}

function normalise(path: string): string {
  return typeof path === 'string' ? path.replace(/\/(?:\.?\/)+/g, '/').replace(/^(?:\.\/)+/, '') : '';
}

const ENTRY = /(?:^|\/)(?:main|index|app|server|cli|__main__|lib|mod|manage|Program|Main|Application)\.[A-Za-z]+$/;

export function roleOf(path: string, structure: FileStructure | null): FileRole {
  const flags = pathFlags(path);
  const is = (flag: number) => (flags & flag) !== 0;
  if (is(FileFlag.Test)) return 'test';
  if (is(FileFlag.Generated)) return 'generated';
  if (is(FileFlag.Vendored)) return 'vendored';
  if (is(FileFlag.Example)) return 'example';
  if (is(FileFlag.Documentation)) return 'documentation';
  if (is(FileFlag.Config)) return 'config';
  const definesNothing = structure !== null && structure.outline.length === 0 && structure.imports.length > 0;
  if (definesNothing && is(FileFlag.Barrel)) return 'barrel';
  if (ENTRY.test(path)) return 'entry';
  return 'core';
}
