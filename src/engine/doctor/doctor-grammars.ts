/**
 * Checks that every grammar loads and has the checksum that the build recorded. The checksum is needed because a
 * modified grammar may still load.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createParser, LANGUAGES } from '../../languages/index.ts';
import type { CheckResult } from '../engine.ts';
import type { EngineConfig } from '../engine-config.ts';

const REBUILD = 'Rebuild with `npm run build`, or reinstall the package.';

export async function checkGrammars(config: EngineConfig): Promise<CheckResult[]> {
  const { grammarFolder, queryFolder } = config;
  const sums = readSums(grammarFolder);
  const parser = createParser({ grammarFolder, queryFolder }, { selfCheck: false });
  const broken: CheckResult[] = [];
  for (const language of LANGUAGES) {
    try {
      if (language.grammar !== null) checkSum(grammarFolder, language.grammar, sums);
      await parser.load(language);
      parser.parse({ language, text: '' });
    } catch (error) {
      const { message } = error as Error;
      broken.push({ name: `grammar ${language.id}`, status: 'fail', detail: message, fix: REBUILD });
    }
  }
  parser.close();
  return [
    {
      name: 'grammars',
      status: broken.length > 0 ? 'warn' : 'ok',
      detail: `${LANGUAGES.length - broken.length} of ${LANGUAGES.length} languages load`,
      fix: broken.length > 0 ? 'See the lines below.' : null,
    },
    ...broken,
  ];
}

/** Returns an empty table if the file is missing: then each grammar fails its own check. */
function readSums(folder: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(join(folder, 'sha256.json'), 'utf8'));
  } catch {
    return {};
  }
}

function checkSum(folder: string, grammar: string, sums: Readonly<Record<string, string>>): void {
  const bytes = readFileSync(join(folder, `${grammar}.wasm`));
  if (createHash('sha256').update(bytes).digest('hex') !== sums[grammar])
    throw new Error(`${grammar}.wasm is not the one that was built`);
}
