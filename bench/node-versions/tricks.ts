/**
 * What Sextant does for speed that reaches into Node, V8 or the parser, each with an edit that takes it out of a copy
 * of the built program. An edit that finds nothing to replace fails, so a bench never measures the same program twice.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Trick {
  readonly name: string;
  /** Takes the trick out of the program in this folder. */
  remove(program: string): void;
}

/** A flag that names V8's default, in place of one that changes something. */
const NO_CHANGE = '--no-trace-opt';

function edit(file: string, pattern: RegExp, replacement: string): void {
  const text = readFileSync(file, 'latin1');
  const edited = text.replace(pattern, replacement);
  if (edited === text) throw new Error(`${file} has nothing that matches ${pattern}`);
  writeFileSync(file, edited, 'latin1');
}

function withoutFlags(name: string, flags: string): Trick {
  const pattern = new RegExp(`"--(?:${flags})(?:=\\d+)?"`, 'g');
  return { name, remove: (program) => edit(join(program, 'dist/command.cjs'), pattern, `"${NO_CHANGE}"`) };
}

export const TRICKS: readonly Trick[] = [
  withoutFlags('a heap of its final size', 'max-old-space-size|initial-old-space-size|(?:max|min)-semi-space-size'),
  withoutFlags('a larger interrupt budget (Node 20 and 21)', 'interrupt-budget'),
  withoutFlags('--no-wasm-tier-up (whole indexes: Node 24 and 25)', 'no-wasm-dynamic-tiering|no-wasm-tier-up'),
  {
    name: 'the tiering budget of lexers',
    remove: (program) => edit(join(program, 'dist/parser.cjs'), /--wasm-tiering-budget=\d+/, NO_CHANGE),
  },
  {
    name: 'direct reads of the parser’s memory',
    remove: (program) =>
      edit(join(program, 'dist/parser.cjs'), /readsMemory:![\w$]+\|\|[\w$]+\([\w$]+,[\w$]+\)/, 'readsMemory:!1'),
  },
  {
    name: 'saved queries',
    remove(program) {
      const folder = join(program, 'dist/queries');
      const saved = readdirSync(folder).filter((file) => file.endsWith('.compiled'));
      if (saved.length === 0) throw new Error(`${folder} has no saved queries`);
      for (const file of saved) rmSync(join(folder, file));
    },
  },
  {
    name: 'saved bytecode',
    remove(program) {
      const file = join(program, 'bin/load-cached.js');
      edit(file, /= readIfThere\(cache\)/, '= undefined');
      edit(file, /if \(!cachedData.*\n/, '');
    },
  },
];

/** A copy of a built checkout that can be edited; packages and models are linked. */
export function copyProgram(checkout: string, to: string): string {
  mkdirSync(to, { recursive: true });
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(checkout, part), join(to, part), { recursive: true });
  for (const part of ['node_modules', 'models']) symlinkSync(join(checkout, part), join(to, part));
  return to;
}
