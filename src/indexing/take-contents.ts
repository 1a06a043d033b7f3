/**
 * Copies derived contents from another source (a node of a fleet) into the store, by the blob ids of the listed files.
 * Contents that the source lacks are derived as usual.
 */
import { detectLanguage, isAmbiguous, PLAIN_TEXT } from '../languages/index.ts';
import type { ContentSource } from '../store/snapshot-source.ts';
import type { StoreWriter } from '../store/store.ts';

/** A source of contents of the same extractor version. */
export type HeadStart = Pick<ContentSource, 'read'>;

interface ListedFile {
  readonly path: string;
  readonly blobId: string | null;
}

/** Returns the number of copied batches. */
export async function takeContents(
  source: HeadStart,
  writer: StoreWriter,
  files: readonly ListedFile[],
): Promise<number> {
  // The language of an ambiguous file, which is part of the key, depends on its content.
  const known = files.filter(({ path, blobId }) => blobId !== null && !isAmbiguous(path));
  const keys = new Map(
    known.map(({ path, blobId }) => {
      const language = detectLanguage(path)?.id ?? PLAIN_TEXT;
      return [`${blobId} ${language}`, { blobId: blobId!, language }] as const;
    }),
  );
  const all = [...keys.values()];
  const rows = writer.findContents(all);
  let taken = 0;
  for await (const batch of source.read(all.filter((_, i) => rows[i]! < 0))) {
    writer.write(batch);
    taken++;
  }
  if (taken > 0) writer.flush();
  return taken;
}
