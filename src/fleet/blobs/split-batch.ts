/**
 * Splits a batch into single contents, each with its own postings: contents are derived together but stored separately,
 * so that every repository can find them.
 */
import { type BatchPostings, CHUNK_STRIDE, type ContentBatch, SPACES, type Space } from '../../store/store.ts';

interface Draft {
  readonly terms: string[];
  readonly counts: number[];
  readonly docs: number[];
  readonly values: number[];
}

/** Returns batches of one content each, in order. */
export function splitBatch(batch: ContentBatch): ContentBatch[] {
  if (batch.contents.length === 1) return [batch];
  const chunkCounts = batch.contents.map(({ chunks }) => chunks.length / CHUNK_STRIDE);
  const extents: Readonly<Record<Space, readonly number[]>> = {
    text: chunkCounts,
    symbol: batch.contents.map(({ symbolCount }) => symbolCount),
    reference: batch.contents.map(() => 1),
  };
  const postings = Object.fromEntries(
    SPACES.map((space) => [space, splitPostings(batch.postings[space], extents[space])]),
  );
  return batch.contents.map((content, i) => ({
    contents: [content],
    postings: {
      text: postings.text![i]!,
      symbol: postings.symbol![i]!,
      reference: postings.reference![i]!,
    },
  }));
}

/** `extents` holds the number of ordinals of the space for each content, in order. */
function splitPostings({ terms, counts, docs, values }: BatchPostings, extents: readonly number[]): BatchPostings[] {
  const owner = new Int32Array(extents.reduce((sum, extent) => sum + extent, 0));
  const first: number[] = [];
  let at = 0;
  extents.forEach((extent, content) => {
    first.push(at);
    owner.fill(content, at, at + extent);
    at += extent;
  });
  const drafts = extents.map((): Draft => ({ terms: [], counts: [], docs: [], values: [] }));
  let from = 0;
  for (let t = 0; t < terms.length; t++) {
    const to = from + counts[t]!;
    let last = -1;
    for (let k = from; k < to; k++) {
      const content = owner[docs[k]!]!;
      const draft = drafts[content]!;
      if (content !== last) {
        draft.terms.push(terms[t]!);
        draft.counts.push(0);
        last = content;
      }
      draft.counts[draft.counts.length - 1]!++;
      draft.docs.push(docs[k]! - first[content]!);
      draft.values.push(values[k]!);
    }
    from = to;
  }
  return drafts.map((draft) => ({
    terms: draft.terms,
    counts: Uint32Array.from(draft.counts),
    docs: Uint32Array.from(draft.docs),
    values: Uint16Array.from(draft.values),
  }));
}
