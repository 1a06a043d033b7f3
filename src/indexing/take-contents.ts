/**
 * A head start: contents that somebody else derived are taken over instead of being derived here, asked for by the ids
 * of the files that are here. Whatever cannot be had is derived as always.
 */
import { detectLanguage, isAmbiguous, PLAIN_TEXT } from '../languages/index.ts';
import type { ContentSource } from '../store/snapshot-source.ts';
import type { StoreWriter } from '../store/store.ts';

/** Contents that were derived by this very version, by their keys. */
export type HeadStart = Pick<ContentSource, 'read'>;

interface ListedFile {
  readonly path: string;
  readonly blobId: string | null;
}

/** Returns how many contents were taken over. */
export async function takeContents(
  source: HeadStart,
  writer: StoreWriter,
  files: readonly ListedFile[],
): Promise<number> {
  // In which language an ambiguous file is, only its content tells.
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
