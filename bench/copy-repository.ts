import { cpSync } from 'node:fs';

/**
 * Links stay as they are written: git takes those that lead elsewhere than before for changed, and the whole folder is
 * listed at each look.
 */
export function copyRepository(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}
