/**
 * Dumps the index of a tree as lines that depend on the tree alone, not on ids or on the history of the store. Two
 * stores of one tree are equal exactly if their lines are.
 */
import { createHash } from 'node:crypto';
import { SPACES, type StoreReader, type TreeView } from '../store.ts';
import type { VectorSet } from '../vectors/vector-set.ts';

export function* dumpTree(reader: StoreReader, view: TreeView, vectors: VectorSet): Generator<string> {
  for (let i = 0; i < view.files.length; i++) yield* dumpFile(reader, view, vectors, i);
  for (const { path, reason, detail } of [...view.skipped()].sort((a, b) => (a.path < b.path ? -1 : 1)))
    yield `skipped ${JSON.stringify([path, reason, detail ?? ''])}`;
  for (const { path, line, message } of view.problems()) yield `problem ${JSON.stringify([path, line, message])}`;
  yield* dumpPostings(reader, view);
}

function* dumpFile(reader: StoreReader, view: TreeView, vectors: VectorSet, i: number): Generator<string> {
  const file = view.files[i]!;
  const row = view.contentOf[i]!;
  yield `file ${JSON.stringify([file.path, file.blobId, file.language, file.flags, file.size, file.lines])}`;
  const detail = reader.detail(row);
  yield `text ${createHash('sha1').update(reader.text(row)).digest('hex')}`;
  const { symbols, references, imports, sections, chunks, ddd, problems, ...rest } = detail;
  yield `detail ${JSON.stringify(rest)}`;
  const lists = {
    symbol: symbols,
    reference: references,
    import: imports,
    section: sections,
    ddd,
    problem: problems,
    chunk: chunks,
  };
  for (const [name, list] of Object.entries(lists))
    for (const item of list ?? []) yield `${name} ${JSON.stringify(item)}`;
  const first = view.firstChunkOf[i]!;
  const count = view.chunkCountOf[i]!;
  for (let chunk = first; chunk < first + count; chunk++) {
    yield `columns ${[
      view.chunkType,
      view.chunkStart,
      view.chunkEnd,
      view.chunkSymbol,
      view.chunkKind,
      view.chunkDdd,
      view.namesLength,
      view.docsLength,
      view.bodyLength,
    ]
      .map((column) => column[chunk])
      .join(' ')}`;
  }
  const stored = count > 0 ? vectors.vectorsOf(row, count) : null;
  yield `vectors ${stored ? createHash('sha1').update(stored).digest('hex') : 'none'}`;
}

function* dumpPostings(reader: StoreReader, view: TreeView): Generator<string> {
  const fileOfContent = new Map<number, number>();
  for (let i = view.files.length - 1; i >= 0; i--) fileOfContent.set(view.contentOf[i]!, i);
  for (const space of SPACES) {
    for (const term of reader.allTerms(space)) {
      const { docs, values } = reader.postings(space, term);
      const places: (readonly [file: number, ordinal: number, value: number])[] = [];
      for (let k = 0; k < docs.length; k++) {
        const doc = docs[k]!;
        const file =
          space === 'text'
            ? view.fileOfChunk[doc]
            : space === 'symbol'
              ? view.fileOfSymbol[doc]
              : fileOfContent.get(doc);
        if (file === undefined || file < 0) continue;
        const first =
          space === 'text' ? view.firstChunkOf[file]! : space === 'symbol' ? view.firstSymbolOf[file]! : doc;
        places.push([file, doc - first, values[k]!]);
      }
      if (places.length === 0) continue;
      places.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      yield `${space} ${JSON.stringify(term)} ` +
        `${places.map(([f, o, v]) => `${view.files[f]!.path}#${o}=${v}`).join(' ')}`;
    }
  }
}
