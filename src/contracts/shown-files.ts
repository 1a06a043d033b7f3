/**
 * Counts the bytes of the files that answers show, for `sextant savings`: what reading them would have cost. Each file
 * counts once per session, because an agent that has read a file still has it.
 */
import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { parseScope } from '../model/records/scope.ts';
import { isRecord } from '../model/runtime/is-record.ts';
import { isWithin } from '../model/text/is-within.ts';
import type { CallContext } from './contract.ts';

const PATH_FIELDS = new Set(['path', 'file', 'file_path', 'filePath']);
/** Upper bound of files that are counted per answer. */
const MAX_FILES_PER_ANSWER = 5_000;
const MAX_REMEMBERED_FILES = 50_000;

export class ShownFiles {
  readonly #seen = new Set<string>();

  /**
   * Bytes of the files that no earlier answer of the session has shown. Answers about several repositories are not
   * counted.
   */
  async bytes(structured: unknown, ctx: CallContext): Promise<number> {
    const paths = pathsIn(structured);
    const folder = paths.length === 0 ? null : await ctx.workspace();
    if (folder === null || parseScope(folder)) return 0;
    const root = await ctx.engine.root(folder);
    let sum = 0;
    for (const path of paths) {
      const file = isAbsolute(path) ? path : join(root, path);
      const key = `${ctx.session}\0${file}`;
      if (this.#seen.has(key) || !isWithin(file, root)) continue;
      if (this.#seen.size >= MAX_REMEMBERED_FILES) this.#seen.clear();
      this.#seen.add(key);
      const found = await stat(file).catch(() => null);
      if (found?.isFile()) sum += found.size;
    }
    return sum;
  }
}

function pathsIn(structured: unknown): readonly string[] {
  const found = new Set<string>();
  const left: unknown[] = [structured];
  for (let seen = 0; left.length > 0 && seen < MAX_FILES_PER_ANSWER; seen++) {
    const value = left.pop();
    if (Array.isArray(value)) left.push(...value.slice(0, MAX_FILES_PER_ANSWER));
    else if (isRecord(value))
      for (const [key, item] of Object.entries(value)) {
        if (typeof item === 'string' && PATH_FIELDS.has(key)) found.add(item);
        else if (typeof item === 'object') left.push(item);
      }
  }
  return [...found];
}
