/** Is the file sound? SQLite's own check, then what must hold between the tables. */
import type { Database } from './database.ts';

export function checkStore(db: Database, full: boolean): string[] {
  const found = db
    .all(full ? 'PRAGMA integrity_check(20)' : 'PRAGMA quick_check(20)')
    .map(([line]) => String(line))
    .filter((line) => line !== 'ok');
  if (found.length > 0) return found;
  const [contents] = db.get('SELECT count(*) FROM content WHERE id NOT IN (SELECT content FROM body)')!;
  if (contents) found.push(`${contents} contents have no text`);
  const [trees] = db.get('SELECT count(*) FROM tree WHERE id NOT IN (SELECT tree FROM tree_paths)')!;
  if (trees) found.push(`${trees} trees have no paths`);
  for (const [id, first, end] of db.all('SELECT id, first_post, end_post FROM segment')) {
    const [blocks] = db.get('SELECT count(*) FROM post WHERE id >= ? AND id < ?', first!, end!)!;
    if (blocks !== (end as number) - (first as number)) found.push(`segment ${id} lacks posting blocks`);
  }
  return found;
}
