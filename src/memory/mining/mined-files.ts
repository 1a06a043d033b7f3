/**
 * Mines the contents of a tree and caches the notes by content id beside the index, so that a content is mined once for
 * all trees, branches and paths. Candidates are found without reading: documents and settings by path, comments by
 * postings.
 */
import { PLAIN_TEXT } from '../../languages/index.ts';
import { type FileEntry, FileFlag } from '../../model/records/source-file.ts';
import { nameOf } from '../../model/text/path-text.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import { readDerived, writeDerived } from '../notebook/derived-file.ts';
import { sensitiveKind } from '../sensitive.ts';
import { markUntrusted, markUntrustedAll } from '../untrusted-memory.ts';
import { commentSyntax } from './comment-places.ts';
import { MARKER_TERMS, mineComments } from './mine-comments.ts';
import { isConfigurationPath, mineConfiguration } from './mine-configuration.ts';
import { isDecisionPath, mineDecision } from './mine-decisions.ts';
import { isGuidePath, mineRules } from './mine-rules.ts';
import type { Note } from './mined-note.ts';

export interface FileNotes {
  readonly path: string;
  readonly mtimeMs: number;
  readonly notes: readonly Note[];
}

type Kind = 'decision' | 'guide' | 'config' | 'comments';

/** Increment it when mining a content gives other notes than before. */
const VERSION = 3;
/** Limits the files read for comments, so that markers do not dominate the memory of a large repository. */
const MAX_COMMENTED_FILES = 4_000;
const MAX_CACHED_CONTENTS = 50_000;

export class MinedFiles {
  readonly #file: string;
  #known: Map<string, readonly Note[]> | null = null;
  /** Number of contents read by the last call of of(), for tests and measurements. */
  read = 0;

  constructor(file: string) {
    this.#file = file;
  }

  of(reader: StoreReader, view: TreeView): FileNotes[] {
    const known = this.#load();
    const used = new Map<string, readonly Note[]>();
    const found: FileNotes[] = [];
    this.read = 0;
    for (const { file, kind } of candidates(reader, view)) {
      const { path, blobId, mtimeMs, language } = view.files[file]!;
      const key = `${kind}${keyPart(kind, path, language)} ${blobId}`;
      let notes = used.get(key) ?? known.get(key);
      if (!notes) {
        this.read++;
        const mined = mineContent(kind, path, language, reader.text(view.contentOf[file]!));
        const kept = mined.filter(({ content }) => sensitiveKind(content) === null);
        notes = kind === 'guide' ? markUntrustedAll(kept) : kept.map(markUntrusted);
      }
      used.set(key, notes);
      if (notes.length > 0) found.push({ path, mtimeMs, notes });
    }
    if (this.read > 0) this.#save(known, used);
    return found;
  }

  #load(): Map<string, readonly Note[]> {
    if (this.#known) return this.#known;
    this.#known = new Map();
    try {
      const { version, contents } = JSON.parse(String(readDerived(this.#file) ?? '{}')) as {
        version?: unknown;
        contents?: Record<string, readonly Note[]>;
      };
      if (version === VERSION && contents)
        for (const [key, notes] of Object.entries(contents)) if (Array.isArray(notes)) this.#known.set(key, notes);
    } catch {
      // The cache does not exist yet or is broken: mine everything again.
    }
    return this.#known;
  }

  /** Keeps the notes of other trees up to MAX_CACHED_CONTENTS. */
  #save(known: ReadonlyMap<string, readonly Note[]>, used: ReadonlyMap<string, readonly Note[]>): void {
    const kept = known.size + used.size > MAX_CACHED_CONTENTS ? new Map(used) : new Map([...known, ...used]);
    this.#known = kept;
    writeDerived(this.#file, JSON.stringify({ version: VERSION, contents: Object.fromEntries(kept) }));
  }
}

function* candidates(reader: StoreReader, view: TreeView): Generator<{ readonly file: number; readonly kind: Kind }> {
  const documents = new Set<number>();
  for (let file = 0; file < view.files.length; file++) {
    const kind = kindOf(view.files[file]!);
    if (!kind) continue;
    documents.add(file);
    yield { file, kind };
  }
  const commented = new Set<number>();
  for (const term of MARKER_TERMS) {
    for (const id of reader.postings('text', term).docs) {
      const file = view.fileOfChunk[id] ?? -1;
      if (file >= 0 && !documents.has(file) && hasComments(view.files[file]!)) commented.add(file);
    }
  }
  for (const file of [...commented].sort((a, b) => a - b).slice(0, MAX_COMMENTED_FILES))
    yield { file, kind: 'comments' };
}

/** Vendored and generated files state rules and problems of other projects. */
const NOT_WRITTEN_HERE = FileFlag.Vendored | FileFlag.Generated;
/** Settings and records in tests and examples do not apply to the project. */
const NOT_IN_USE = FileFlag.Test | FileFlag.Example;

function kindOf({ path, flags }: FileEntry): Kind | null {
  if ((flags & NOT_WRITTEN_HERE) !== 0) return null;
  const isInUse = (flags & NOT_IN_USE) === 0;
  if (isInUse && isDecisionPath(path)) return 'decision';
  if (isGuidePath(path)) return 'guide';
  return isInUse && isConfigurationPath(path) ? 'config' : null;
}

/** The part of the cache key for properties other than the content that determine the result. */
function keyPart(kind: Kind, path: string, language: string): string {
  if (kind === 'config') return ` ${nameOf(path)}`;
  return kind === 'comments' ? ` ${language === PLAIN_TEXT ? path.slice(path.lastIndexOf('.')) : language}` : '';
}

function hasComments({ language, path, flags }: FileEntry): boolean {
  return (flags & NOT_WRITTEN_HERE) === 0 && commentSyntax(language, path) !== null;
}

function mineContent(kind: Kind, path: string, language: string, text: string): readonly Note[] {
  if (kind === 'decision') {
    const note = mineDecision(text);
    return note ? [note] : [];
  }
  if (kind === 'guide') return mineRules(text);
  if (kind === 'config') return mineConfiguration(path, text);
  const syntax = commentSyntax(language, path);
  return syntax ? mineComments(text, syntax) : [];
}
