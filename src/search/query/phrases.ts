/** Quoted text: which files contain it verbatim, and where. */

import { FileFlag } from '../../model/records/source-file.ts';
import { textTerms } from '../../model/text/terms.ts';
import type { TreeView } from '../../store/store.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import type { Masks } from './search-filter.ts';

/** How many files are opened to find text for which the index has no words. */
const MAX_FILES_OPENED = 4_000;

/** Narrows the masks to files that contain every phrase. Before ranking, so that no such file is lost. */
export function requirePhrases(masks: Masks, phrases: readonly string[], context: IndexedTree): Masks {
  if (phrases.length === 0) return masks;
  const { view, reader } = context;
  const files = new Uint8Array(view.files.length);
  const check = (file: number) => {
    const text = reader.text(view.contentOf[file]!);
    if (phrases.every((phrase) => text.includes(phrase))) files[file] = 1;
  };
  const allowed = (file: number) => masks.files === null || masks.files[file] === 1;
  const likely = filesWithAllTerms(phrases, context);
  for (const file of likely ?? []) if (allowed(file)) check(file);
  // A phrase may begin or end inside a word or consist of punctuation: then the file must be read.
  if (!files.includes(1)) {
    let left = MAX_FILES_OPENED;
    for (let file = 0; file < files.length && left > 0; file++) {
      if (!allowed(file) || likely?.has(file)) continue;
      check(file);
      left--;
    }
  }
  return { files, chunk: masks.chunk };
}

/** Files that hold all words of the phrases; null where the phrases have none. */
export function filesWithAllTerms(phrases: readonly string[], { reader, view }: IndexedTree): Set<number> | null {
  let common: Set<number> | null = null;
  for (const term of new Set(phrases.flatMap(textTerms))) {
    const holders = new Set<number>();
    for (const id of reader.postings('text', term).docs) {
      const file = view.fileOfChunk[id] ?? -1;
      // Several paths may have the same content.
      if (file >= 0)
        for (const other of view.filesOfContent(view.contentOf[file]!))
          if (common === null || common.has(other)) holders.add(other);
    }
    common = holders;
  }
  return common;
}

const REPEATS = FileFlag.Test | FileFlag.Example | FileFlag.Documentation;

/** A test, a guide or a log that repeats a message is not its source. */
export function repeats(view: TreeView, file: number): boolean {
  return (view.files[file]!.flags & REPEATS) !== 0;
}

/**
 * The chunk that shows the first phrase, the wanted one where it does, with the phrase's line; null where the filters
 * leave none.
 */
export function chunkWithPhrase(
  { reader, view }: IndexedTree,
  masks: Masks,
  phrases: readonly string[],
  file: number,
  wanted: number,
): { readonly ordinal: number; readonly line: number } | null {
  const row = view.contentOf[file]!;
  const text = reader.text(row);
  const { chunks } = reader.detail(row);
  const base = view.firstChunkOf[file]!;
  const at = (line: number) =>
    chunks.flatMap(({ startLine, endLine, type }, ordinal) =>
      type !== 'symbols' && startLine <= line && line <= endLine && (!masks.chunk || masks.chunk(base + ordinal))
        ? [ordinal]
        : [],
    );
  let first = null;
  for (let index = text.indexOf(phrases[0]!); index >= 0; index = text.indexOf(phrases[0]!, index + 1)) {
    const line = lineOf(text, index);
    const found = at(line);
    if (found.includes(wanted)) return { ordinal: wanted, line };
    if (first === null && found.length > 0) first = { ordinal: found[0]!, line };
  }
  return first;
}

function lineOf(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
