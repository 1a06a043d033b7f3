/**
 * What the contents of a tree tell, by content id: a content is mined once, whatever tree, branch or path shows it again, and kept beside the
 * index. Candidates are found without reading: documents and settings by their path, comments through the postings.
 */
import { readFileSync } from 'node:fs';
import type { StoreReader, TreeView } from '../../store/store.ts';
import { sensitiveKind } from '../sensitive.ts';
import { writeWhole } from '../write-whole.ts';
import { MARKER_TERMS, mineComments } from './comments.ts';
import { isConfigurationPath, mineConfiguration } from './configuration.ts';
import { isDecisionPath, mineDecision } from './decisions.ts';
import type { Note } from './note.ts';
import { isGuidePath, mineRules } from './rules.ts';

export interface FileNotes {
  readonly path: string;
  readonly mtimeMs: number;
  readonly notes: readonly Note[];
}

type Kind = 'decision' | 'guide' | 'config' | 'comments';

/** Raised when mining a content gives something else than before. */
const VERSION = 2;
/** Files with comments to read, so that a repository full of markers does not become a memory of nothing else. */
const MAX_COMMENTED = 4_000;
const MAX_KEPT = 50_000;

export class MinedFiles {
  readonly #file: string;
  #known: Map<string, readonly Note[]> | null = null;
  /** How many contents were read the last time, for who measures. */
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
      const { path, blobId, mtimeMs } = view.files[file]!;
      const key = `${kind === 'config' ? `config ${path.slice(path.lastIndexOf('/') + 1)}` : kind} ${blobId}`;
      let notes = used.get(key) ?? known.get(key);
      if (!notes) {
        this.read++;
        notes = mineContent(kind, path, reader.text(view.contentOf[file]!)).filter(
          ({ content }) => sensitiveKind(content) === null,
        );
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
      const { version, contents } = JSON.parse(readFileSync(this.#file, 'utf8')) as {
        version?: unknown;
        contents?: Record<string, readonly Note[]>;
      };
      if (version === VERSION && contents)
        for (const [key, notes] of Object.entries(contents)) if (Array.isArray(notes)) this.#known.set(key, notes);
    } catch {
      // None yet, or broken: everything is mined again.
    }
    return this.#known;
  }

  /** Other trees of the store keep theirs, as long as there is room. */
  #save(known: ReadonlyMap<string, readonly Note[]>, used: ReadonlyMap<string, readonly Note[]>): void {
    const kept = known.size + used.size > MAX_KEPT ? new Map(used) : new Map([...known, ...used]);
    this.#known = kept;
    writeWhole(this.#file, JSON.stringify({ version: VERSION, contents: Object.fromEntries(kept) }));
  }
}

function* candidates(reader: StoreReader, view: TreeView): Generator<{ readonly file: number; readonly kind: Kind }> {
  const documents = new Set<number>();
  for (let file = 0; file < view.files.length; file++) {
    const { path } = view.files[file]!;
    const kind = kindOf(path);
    if (!kind) continue;
    documents.add(file);
    yield { file, kind };
  }
  const commented = new Set<number>();
  for (const term of MARKER_TERMS) {
    for (const id of reader.postings('text', term).docs) {
      const file = view.fileOfChunk[id] ?? -1;
      if (file >= 0 && !documents.has(file) && hasComments(view.files[file]!.language)) commented.add(file);
    }
  }
  for (const file of [...commented].sort((a, b) => a - b).slice(0, MAX_COMMENTED)) yield { file, kind: 'comments' };
}

function kindOf(path: string): Kind | null {
  if (isDecisionPath(path)) return 'decision';
  if (isGuidePath(path)) return 'guide';
  return isConfigurationPath(path) ? 'config' : null;
}

function hasComments(language: string): boolean {
  return !/^(?:markdown|mdx|rst|text|asciidoc|json)$/.test(language);
}

function mineContent(kind: Kind, path: string, text: string): readonly Note[] {
  if (kind === 'decision') {
    const note = mineDecision(text);
    return note ? [note] : [];
  }
  if (kind === 'guide') return mineRules(text);
  return kind === 'config' ? mineConfiguration(path, text) : mineComments(text);
}
