import { join } from 'node:path';
import { digest } from '../../model/runtime/checksum.ts';
import type { TreeKey } from '../../store/store.ts';

/**
 * Where something of this kind is kept of a tree beside its store: what can be worked out again, by whoever finds it
 * missing.
 */
export function besideStore(
  folder: string,
  kind: 'looks' | 'modules' | 'paths' | 'words',
  { root, ref }: TreeKey,
): string {
  return join(folder, kind, digest(Buffer.from(`${root}\n${ref}`)));
}
