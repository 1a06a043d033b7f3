/**
 * Builds an embedded store from a snapshot's derived contents, without parsing or embedding. It also writes the files
 * as text, so that reading and grepping work as on a clone. A reader of the store sees the previous snapshot or the new
 * one.
 */
import { mkdirSync, rmdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { FileEntry } from '../../model/records/source-file.ts';
import { openWriter } from '../../store/index.ts';
import type { ContentSource, Snapshot } from '../../store/snapshot-source.ts';
import type { ContentKey, StoreReader, StoreWriter, TreeView } from '../../store/store.ts';
import type { Derivation } from '../worker/derivation.ts';

export interface Hydration {
  /** Folder of the written files: the project's root. */
  readonly root: string;
  readonly storeFolder: string;
  readonly derivation: Derivation;
  readonly contents: ContentSource;
}

export interface HydrationReport {
  readonly files: number;
  /** Number of contents read from the fleet; the others were in the store. */
  readonly read: number;
}

/** Throws store_corrupt if the fleet lacks a content that the snapshot names. */
export async function hydrate(
  { root, storeFolder, derivation, contents }: Hydration,
  snapshot: Snapshot,
): Promise<HydrationReport> {
  const { modelId, dims, extractor } = derivation;
  if (snapshot.options.extractor !== extractor)
    throw new EngineError('unsupported', {
      what: 'This snapshot',
      reason: 'workers of another version of Sextant made it: run workers and nodes of one version.',
    });
  mkdirSync(root, { recursive: true });
  const writer = openWriter({ folder: storeFolder, modelId, dims }, { owner: 'fleet', extractorVersion: extractor });
  try {
    const missing = missingContents(writer, snapshot.files);
    let read = 0;
    for await (const batch of contents.read(missing)) {
      writer.write(batch);
      read++;
    }
    if (read < missing.length)
      throw new EngineError('store_corrupt', {
        path: 'the fleet',
        reason: `${missing.length - read} contents of a published snapshot are missing`,
      });
    const before = writer.reader.openTree({ root, ref: 'live' });
    const { branch, commit, files, skipped, options, durationMs } = snapshot;
    removeGone(root, before, files);
    writer.publish({ root, ref: 'live', branch, commit, skipped, options, modelId, durationMs, files });
    layOut(root, writer.reader, before);
    writer.compact({ full: false });
    return { files: files.length, read };
  } finally {
    writer.release();
  }
}

function missingContents(writer: StoreWriter, files: readonly FileEntry[]): ContentKey[] {
  const keys = [...new Map(files.map((file) => [`${file.blobId} ${file.language}`, file])).values()];
  const rows = writer.findContents(keys);
  return keys.filter((_, i) => rows[i]! < 0).map(({ blobId, language }) => ({ blobId, language }));
}

/**
 * Writes missing and changed files. A name that the file system cannot store is skipped; the index has it all the same.
 */
function layOut(root: string, reader: StoreReader, before: TreeView | null): void {
  const view = reader.openTree({ root, ref: 'live' })!;
  view.files.forEach(({ path, blobId, mtimeMs }, i) => {
    const old = before?.indexOfPath(path) ?? -1;
    if (old >= 0 && before!.files[old]!.blobId === blobId) return;
    const file = placeOf(root, path);
    if (file === null) return;
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, reader.text(view.contentOf[i]!));
      utimesSync(file, mtimeMs / 1000, mtimeMs / 1000);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
    }
  });
}

function removeGone(root: string, before: TreeView | null, files: readonly FileEntry[]): void {
  if (!before) return;
  const currentPaths = new Set(files.map(({ path }) => path));
  for (const { path } of before.files) {
    if (currentPaths.has(path)) continue;
    const file = placeOf(root, path);
    if (file === null) continue;
    rmSync(file, { force: true });
    removeEmpty(root, dirname(file));
  }
}

/** Removes an empty folder, which a file may replace. */
function removeEmpty(root: string, folder: string): void {
  for (let at = folder; at !== root && at.startsWith(join(root, '/')); at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      return;
    }
  }
}

/** Entries that would make the folder look like a git repository. */
const GITS_OWN = /^(?:\.?git(?:~\d)?|HEAD)$/i;

/**
 * Returns null for a path that must not be written: git objects may contain any name, and nothing may be written
 * outside of the root.
 */
export function placeOf(root: string, path: string): string | null {
  const isPlain = (segment: string) => !['', '.', '..'].includes(segment) && !GITS_OWN.test(segment);
  return /[\\\0:]/.test(path) || !path.split('/').every(isPlain) ? null : join(root, path);
}
