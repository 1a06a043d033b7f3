/** A build step: compiles the queries of all languages and stores them beside their sources. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LANGUAGES } from '../../registry.ts';
import { compiledName, type GrammarFolders, loadGrammar } from './grammar.ts';

/** `samples`: a short text for each language, by id. */
export async function compileQueries(
  folders: GrammarFolders,
  samples: Readonly<Record<string, string>>,
): Promise<void> {
  for (const language of LANGUAGES) {
    if (!language.grammar || !existsSync(join(folders.grammarFolder, `${language.grammar}.wasm`))) continue;
    const grammar = await loadGrammar(language, folders);
    await writeFile(join(folders.queryFolder, compiledName(language)), grammar.compiled(samples[language.id] ?? ''));
  }
}
