/** Quoted text must occur: to the letter or, where no source has it so, as code says what a program then fills in. */
import { textTerms } from '../model/terms.ts';
import type { Masks } from './filter.ts';
import { repeats, withPhrases } from './phrases.ts';
import { type Context, mayBeSource, sharedWording, type Wording, wordsOf } from './wording.ts';

/** Nearly all must be said: two words of three, since what a program fills in may be several. */
const LEAST_SHARE = 0.65;
/** More are a report, of which a message is a small part. */
const MOST_WORDS = 60;
/** Chunks that are read, those with the rarest of its words first. */
const READ = 50;

export interface Quoted {
  /** Narrowed to files that have what is quoted. */
  readonly masks: Masks;
  /** Those that say it with a placeholder for a part, and where. */
  readonly said: ReadonlyMap<number, Wording>;
}

export function quotedIn(masks: Masks, phrases: readonly string[], context: Context): Quoted {
  const exact = withPhrases(masks, phrases, context);
  const isSource = (holds: number, file: number) => holds === 1 && !repeats(context.view, file);
  if (phrases.length === 0 || exact.files?.some(isSource)) return { masks: exact, said: new Map() };
  const said = quotedWordings(context, phrases, masks);
  for (const file of said.keys()) exact.files![file] = 1;
  return { masks: exact, said };
}

function quotedWordings(
  { reader, view }: Context,
  phrases: readonly string[],
  masks: Masks,
): ReadonlyMap<number, Wording> {
  const wanted = phrases.map(wordsOf);
  const found = new Map<number, Wording>();
  if (wanted.some(({ length }) => length > MOST_WORDS)) return found;
  const worth = new Map<number, number>();
  for (const term of new Set(phrases.flatMap(textTerms))) {
    const { docs } = reader.postings('text', term);
    const rarity = Math.log(1 + view.fileOfChunk.length / (1 + docs.length));
    for (const chunk of docs) {
      const file = view.fileOfChunk[chunk] ?? -1;
      if (file < 0 || masks.files?.[file] === 0 || (masks.chunk && !masks.chunk(chunk))) continue;
      if (mayBeSource(view, file, chunk)) worth.set(chunk, (worth.get(chunk) ?? 0) + rarity);
    }
  }
  const likely = [...worth].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, READ);
  for (const [chunk] of likely) {
    const row = view.contentOf[view.fileOfChunk[chunk]!]!;
    const lines = reader.lines(row, view.chunkStart[chunk]!, view.chunkEnd[chunk]!);
    const share = Math.min(
      ...phrases.map((phrase, i) => (lines.includes(phrase) ? 1 : sharedWording(wanted[i]!, lines))),
    );
    for (const file of view.filesOfContent(row))
      if (masks.files?.[file] !== 0 && share >= LEAST_SHARE && share > (found.get(file)?.share ?? 0))
        found.set(file, { share, chunk });
  }
  return found;
}
