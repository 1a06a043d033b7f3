/** Collecting and merging. First version: collects contents that no tree names. */
import type { Database } from './database.ts';
import { unpackFiles } from './manifest.ts';

type Transact = <T>(work: () => T) => T;

export function compactStore(
  db: Database,
  full: boolean,
  graceMs: number,
  transact: Transact,
): { contents: number; bytes: number } {
  if (!full) return { contents: 0, bytes: 0 };
  const live = new Set<number>();
  for (const [files] of db.all('SELECT files FROM tree'))
    for (const row of unpackFiles(files as Uint8Array).contentRow) live.add(row);
  const dead = db
    .all('SELECT id FROM content WHERE seen_ms <= ?', Date.now() - graceMs)
    .map(([id]) => id as number)
    .filter((id) => !live.has(id));
  transact(() => {
    for (const id of dead) {
      db.run('DELETE FROM content WHERE id = ?', id);
      db.run('DELETE FROM body WHERE content = ?', id);
    }
  });
  return { contents: dead.length, bytes: 0 };
}
