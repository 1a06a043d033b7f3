/**
 * Derives a batch of files: reads, parses, chunks and embeds them. A file that cannot be read or should not be indexed
 * is returned with its reason; it never stops the batch.
 */
import { chunkFile, markDddRoles } from '../../chunk/index.ts';
import type { TermEmbedder } from '../../embed/embedder.ts';
import { loadStaticModel } from '../../embed/index.ts';
import { createParser, detectLanguage, isAmbiguous, PLAIN_TEXT } from '../../languages/index.ts';
import { type FileEntry, FileFlag, type SkipReason } from '../../model/records/source-file.ts';
import type { ParsedFile } from '../../model/records/symbol.ts';
import { FileRefused, readRepositoryFile } from '../../model/runtime/repository-file.ts';
import { redactText } from '../../model/secrets/redact.ts';
import type { ContentBatch } from '../../store/store.ts';
import { blobId as hashBlob, ID_DIGITS, inspectContent, readBlobs } from '../../walk/index.ts';
import { BatchBuilder } from './batch-builder.ts';
import { LinedText } from './lined-text.ts';

export interface DeriverSetup {
  readonly grammarFolder: string;
  readonly queryFolder: string;
  /** The folder of the built-in model; null if a provider makes the vectors later. */
  readonly modelFolder: string | null;
  readonly maxFileBytes: number;
  readonly includeGenerated: boolean;
  /** Removes access tokens from texts, so that no search confirms a guessed token and no provider receives one. */
  readonly redact: boolean;
}

export interface FileJob {
  readonly path: string;
  /** The folder that the path is relative to. */
  readonly root: string;
  /** The blob id under which to read the bytes from git's objects; null to read the file on disk. */
  readonly gitBlob: string | null;
  readonly flags: number;
}

export interface FileOutcome extends Omit<FileEntry, 'mtimeMs'> {
  readonly skip: SkipReason | null;
  readonly detail: string;
}

export interface BatchResult {
  readonly files: readonly FileOutcome[];
  readonly batch: ContentBatch;
}

export interface Deriver {
  /** Loads the grammars that files with these paths need. */
  expect(paths: readonly string[]): Promise<void>;
  derive(jobs: readonly FileJob[], onFile?: (path: string) => void): Promise<BatchResult>;
}

/** Languages to load ahead. A branch switch may change files of all languages, but such a run takes long anyway. */
const MOST_EXPECTED = 3;

export async function createDeriver(setup: DeriverSetup): Promise<Deriver> {
  const parser = createParser({ grammarFolder: setup.grammarFolder, queryFolder: setup.queryFolder });
  const embedder: TermEmbedder | null = setup.modelFolder === null ? null : loadStaticModel(setup.modelFolder);
  const builder = new BatchBuilder(embedder);
  const expect = async (paths: readonly string[]) => {
    const languages = new Set(paths.map((path) => detectLanguage(path)));
    for (const language of [...languages].slice(0, MOST_EXPECTED)) await parser.load(language);
    embedder?.embedTerms([], null, 'passage', new Float32Array(embedder.dims));
  };
  return {
    expect,
    async derive(jobs, onFile) {
      const files: FileOutcome[] = [];
      const seen = new Set<string>();
      const objects = await readObjects(jobs, expect);
      for (const job of jobs) {
        onFile?.(job.path);
        files.push(await deriveFile(job, objects, setup, parser, builder, seen));
      }
      return { files, batch: builder.finish() };
    },
  };
}

/** Why a file is refused that was listed as a regular file. */
const REFUSED = {
  link: 'became a link',
  outside: 'lies outside of the project now',
  not_a_file: 'not a regular file',
} as const;

type Parser = ReturnType<typeof createParser>;
type Objects = ReadonlyMap<string, Uint8Array>;

/** Git starts while what the files need is loaded. */
async function readObjects(jobs: readonly FileJob[], expect: Deriver['expect']): Promise<Objects> {
  const objects = new Map<string, Uint8Array>();
  const tracked = jobs.filter(({ gitBlob }) => gitBlob !== null);
  if (tracked.length === 0) return objects;
  const reading = (async () => {
    const ids = new Set(tracked.map(({ gitBlob }) => gitBlob!));
    for await (const { id, bytes } of readBlobs(tracked[0]!.root, ids)) objects.set(id, Uint8Array.from(bytes));
  })();
  await Promise.all([reading, expect(tracked.map(({ path }) => path))]);
  return objects;
}

function bytesOf(job: FileJob, objects: Objects, limit: number): Uint8Array {
  if (job.gitBlob === null) return readRepositoryFile(job.root, job.path, { maxBytes: limit }).bytes;
  const bytes = objects.get(job.gitBlob);
  if (!bytes) throw Object.assign(new Error('missing object'), { code: 'missing from git' });
  return bytes;
}

async function deriveFile(
  job: FileJob,
  objects: Objects,
  setup: DeriverSetup,
  parser: Parser,
  builder: BatchBuilder,
  seen: Set<string>,
): Promise<FileOutcome> {
  const skipped = (skip: SkipReason, detail: string, blobId = ''): FileOutcome => ({
    path: job.path,
    blobId,
    language: '',
    flags: job.flags,
    size: 0,
    lines: 0,
    skip,
    detail,
  });
  let bytes: Uint8Array;
  try {
    bytes = bytesOf(job, objects, setup.maxFileBytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const denied = code === 'EACCES' || code === 'EPERM';
    if (!(error instanceof FileRefused))
      return skipped('unreadable', denied ? 'no permission' : (code ?? String(error)));
    if (error.reason === 'too_large') return skipped('too_large', `more than ${setup.maxFileBytes} bytes`);
    return skipped('unreadable', REFUSED[error.reason]);
  }
  if (bytes.length > setup.maxFileBytes) return skipped('too_large', `more than ${setup.maxFileBytes} bytes`);
  const blobId = job.gitBlob?.length === ID_DIGITS ? job.gitBlob : hashBlob(bytes);
  const inspected = inspectContent(bytes, job.path);
  let flags = job.flags;
  if (inspected) {
    if (inspected.reason !== 'generated' || !setup.includeGenerated)
      return skipped(inspected.reason, inspected.detail, blobId);
    flags |= FileFlag.Generated;
  }
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const text = setup.redact ? redactText(content) : content;
  if (text !== content) flags |= FileFlag.Redacted;
  const descriptor = detectLanguage(job.path, isAmbiguous(job.path) ? text.slice(0, 8192) : '');
  const language = descriptor?.id ?? PLAIN_TEXT;
  const key = `${blobId} ${language}`;
  const lines = splitLines(text);
  if (!seen.has(key)) {
    seen.add(key);
    await parser.load(descriptor, text);
    const source = new LinedText(text, text === content ? bytes : Buffer.from(text));
    const parsed: ParsedFile = parser.parse({ language: descriptor, text, lineStarts: source.textStarts });
    const chunks = chunkFile(parsed, lines, descriptor?.family ?? 'documentation');
    builder.add({ blobId, language, source, parsed, chunks, ddd: markDddRoles(parsed) });
  }
  return { path: job.path, blobId, language, flags, size: bytes.length, lines: lines.length, skip: null, detail: '' };
}

/** The lines of a text, without line ends. A final newline does not begin another line. */
function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
