/** For the build, in a process with the settings of those that parse: machine code of the runtime and of every grammar. */
import { existsSync, readFileSync } from 'node:fs';
import { LANGUAGES } from '../../registry.ts';
import { keepLexersUnoptimised, RUNTIME, wasmPath } from './grammar.ts';
import { isKnownNode, loadModule, saveModule } from './machine-code.ts';

/** Lexers so large that optimising them takes one to seven seconds each: more than who builds for the first time should wait for. */
const TOO_LARGE: ReadonlySet<string> = new Set(['bash', 'elixir', 'scala', 'swift']);

/** What is there already and fits stays; returns the names of what was made. */
export function keepMachineCode(grammarFolder: string): string[] {
  if (!isKnownNode()) return [];
  const keep = (name: string): string[] => {
    if (!existsSync(wasmPath(grammarFolder, name))) return [];
    const bytes = readFileSync(wasmPath(grammarFolder, name));
    if (loadModule(grammarFolder, name, bytes)) return [];
    saveModule(grammarFolder, name, bytes);
    return [name];
  };
  const made = keep(RUNTIME);
  // In the order of loadGrammar: code fits under the settings that it was made with.
  keepLexersUnoptimised();
  const grammars = new Set(LANGUAGES.map(({ grammar }) => grammar));
  for (const grammar of grammars) if (grammar && !TOO_LARGE.has(grammar)) made.push(...keep(grammar));
  return made;
}
