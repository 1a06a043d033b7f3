/** Finds the files that contain quoted text verbatim, and the chunk that shows it. */

import { FileFlag } from '../../model/records/source-file.ts';
import { textTerms } from '../../model/text/terms.ts';
import type { TreeView } from '../../store/store.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import type { Masks } from './search-filter.ts';

/** Files that are read to find a phrase whose words the index does not have. */
const MAX_FILES_OPENED = 4_000;

/** Narrows the masks to files that contain every phrase. Runs before ranking, so that the limit drops no such file. */
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
  // A phrase may begin or end inside a word, or consist of punctuation: the index cannot find it then.
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

/** Files that contain all terms of the phrases; null if the phrases have no terms. */
export function filesWithAllTerms(phrases: readonly string[], { reader, view }: IndexedTree): Set<number> | null {
  let common: Set<number> | null = null;
  for (const term of new Set(phrases.flatMap(textTerms))) {
    const files = new Set<number>();
    for (const id of reader.postings('text', term).docs) {
      const file = view.fileOfChunk[id] ?? -1;
      // Several paths may have the same content.
      if (file >= 0)
        for (const other of view.filesOfContent(view.contentOf[file]!))
          if (common === null || common.has(other)) files.add(other);
    }
    common = files;
  }
  return common;
}

const SECONDARY = FileFlag.Test | FileFlag.Example | FileFlag.Documentation;

/** A test, example or document that contains a message quotes it; it is not the message's source. */
export function isSecondarySource(view: TreeView, file: number): boolean {
  return (view.files[file]!.flags & SECONDARY) !== 0;
}

/**
 * A chunk that contains the first phrase, with the phrase's line: the preferred chunk if it does, else the first one
 * that passes the filters. Null if none does.
 */
export function chunkWithPhrase(
  { reader, view }: IndexedTree,
  masks: Masks,
  phrases: readonly string[],
  file: number,
  preferred: number,
): { readonly ordinal: number; readonly line: number } | null {
  const row = view.contentOf[file]!;
  const text = reader.text(row);
  const { chunks } = reader.detail(row);
  const base = view.firstChunkOf[file]!;
  const chunksAt = (line: number) =>
    chunks.flatMap(({ startLine, endLine, type }, ordinal) =>
      type !== 'symbols' && startLine <= line && line <= endLine && (!masks.chunk || masks.chunk(base + ordinal))
        ? [ordinal]
        : [],
    );
  let first = null;
  for (let index = text.indexOf(phrases[0]!); index >= 0; index = text.indexOf(phrases[0]!, index + 1)) {
    const line = lineOf(text, index);
    const found = chunksAt(line);
    if (found.includes(preferred)) return { ordinal: preferred, line };
    if (first === null && found.length > 0) first = { ordinal: found[0]!, line };
  }
  return first;
}

function lineOf(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
