/** Stores a model's word table in a file beside it at build time: computing it would double the time of a command. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StaticModelHeader } from './load-static-model.ts';
import { makeTable, tableLength } from './vocabulary.ts';

const FILE = 'static.words';
/** Size of the header, which identifies the model. */
const HEADER_BYTES = 64;

type ModelName = Pick<StaticModelHeader, 'id' | 'words'>;

/** Null if no table of this model is stored; the caller computes it then. */
export function loadWordTable(folder: string, { id, words }: ModelName): Int32Array | null {
  try {
    const { buffer, byteOffset, byteLength } = readFileSync(join(folder, FILE));
    const name = Buffer.from(buffer, byteOffset, HEADER_BYTES).toString('latin1');
    if (name !== headerOf(id) || byteLength !== HEADER_BYTES + 4 * tableLength(words)) return null;
    if (byteOffset % 4 !== 0) return null;
    return new Int32Array(buffer, byteOffset + HEADER_BYTES, tableLength(words));
  } catch {
    return null;
  }
}

/** Writes the table; called by the build. */
export function writeWordTable(folder: string): void {
  const header = JSON.parse(readFileSync(join(folder, 'static.json'), 'utf8')) as StaticModelHeader;
  const { vocabulary, end } = header.sections;
  const words = readFileSync(join(folder, 'static.bin')).subarray(vocabulary, end);
  const table = makeTable(words, header.words);
  const bytes = [Buffer.from(headerOf(header.id), 'latin1'), Buffer.from(table.buffer)];
  writeFileSync(join(folder, FILE), Buffer.concat(bytes));
}

/** The header contains the byte order, so that a table of another kind of machine is not used. */
function headerOf(id: string): string {
  const order = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'le' : 'be';
  return `${order} ${id}\n`.padEnd(HEADER_BYTES).slice(0, HEADER_BYTES);
}
