import { pattern } from '../../model/text/pattern.ts';
import type { LanguageDescriptor } from '../language.ts';
import { typescriptNames } from './names.ts';
import { shared } from './shared.ts';

/**
 * `import('x').Node<T>[]` as a type: the grammar accepts neither type arguments nor an array there and ends the
 * declaration.
 */
const IMPORTED_TYPE = pattern('g')`
  (\bimport\((?:'[^'\n]{0,300}'|"[^"\n]{0,300}")\)(?:\.[\w$]{1,100})+)((?:<(?:[^<>(){};]
  |<[^<>(){};]{0,200}>){0,300}>)?(?:\[\])*)
`;

/** `interface Source<in out T>`: the grammar does not know variance annotations. */
const VARIANCE =
  /(?<=[<,]\s{0,80})(?:in\s{1,80}out|in|out)(?=\s{1,80}[A-Za-z_$][\w$]{0,100}\s{0,80}(?:[,>=]|extends\b))/g;

function maskTypes(text: string): string {
  const masked = text.replace(VARIANCE, (words) => words.replace(/[^\n]/g, ' '));
  if (!/\bimport\(['"]/.test(masked)) return masked;
  return masked.replace(IMPORTED_TYPE, (_type, name: string, rest: string) => name + rest.replace(/[^\n]/g, ' '));
}

const typed = { ...shared, mask: maskTypes, plainSignatures: true, names: typescriptNames } as const;

export const typescript: LanguageDescriptor = {
  ...typed,
  id: 'typescript',
  name: 'TypeScript',
  aliases: ['ts'],
  extensions: ['.ts', '.mts', '.cts'],
  interpreters: ['ts-node', 'tsx', 'deno', 'bun'],
  grammar: 'typescript',
};

export const tsx: LanguageDescriptor = {
  ...typed,
  id: 'tsx',
  variantOf: 'typescript',
  name: 'TSX',
  aliases: ['typescriptreact'],
  extensions: ['.tsx'],
  grammar: 'tsx',
  query: ['typescript', 'tsx'],
};
