/** Looking into the stores that the binary wrote, past the binary. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadStaticModel } from '../../src/embed/index.ts';
import { openReader } from '../../src/store/index.ts';
import { Database } from '../../src/store/sqlite/database.ts';
import type { StoreReader } from '../../src/store/store.ts';
import type { Sandbox } from '../cli/sextant.ts';

const models = fileURLToPath(new URL('../../models', import.meta.url));
let known: { readonly modelId: string; readonly dims: number } | undefined;

function model(): { readonly modelId: string; readonly dims: number } {
  if (!known) {
    const { id, dims } = loadStaticModel(models);
    known = { modelId: id, dims };
  }
  return known;
}

export function storeFolder(home: string): string {
  const [name, ...more] = readdirSync(join(home, 'projects'));
  if (!name || more.length > 0) throw new Error(`one store is expected in ${home}`);
  return join(home, 'projects', name);
}

export function storeFile(home: string): string {
  return join(storeFolder(home), 'index.sqlite');
}

export function withReader<T>(home: string, use: (reader: StoreReader) => T): T {
  const reader = openReader({ folder: storeFolder(home), ...model() });
  try {
    return use(reader);
  } finally {
    reader.close();
  }
}

/**
 * Everything that the index of the work tree says, as one text; '' while nothing is published. Also proves that the
 * file is sound.
 */
export function dump(home: string, root: string): string {
  return withReader(home, (reader) => {
    const faults = reader.check(true);
    if (faults.length > 0) throw new Error(`the store is damaged: ${faults.join('; ')}`);
    return [...reader.dump({ root, ref: 'live' })].join('\n');
  });
}

/** What a fresh index of the same folder says, made in a data folder of its own. */
export function freshDump(box: Sandbox, home: string): string {
  const { code, stderr } = box.run(['index', '--quiet'], { env: { SEXTANT_HOME: home } });
  if (code !== 0) throw new Error(`the fresh index failed: ${stderr}`);
  return dump(home, box.path());
}

export function sql(home: string, ...statements: readonly string[]): void {
  const db = Database.open(storeFile(home), 'write');
  for (const statement of statements) db.exec(statement);
  db.close();
}
