import type { LanguageDescriptor } from '../language.ts';
import { javascriptNames } from './names.ts';
import { shared } from './shared.ts';

export const javascript: LanguageDescriptor = {
  ...shared,
  id: 'javascript',
  name: 'JavaScript',
  aliases: ['js', 'jsx', 'javascriptreact', 'mjs', 'cjs'],
  extensions: ['.js', '.jsx', '.mjs', '.cjs', '.es6'],
  fileNames: ['Jakefile'],
  interpreters: ['node', 'nodejs'],
  grammar: 'javascript',
  // A file with Flow types is read as TSX. The mark is in its first comment.
  dialect: { mark: /^(?:#!.*)?\s*(?:\/\/\s*|\/\*(?:(?!\*\/)[\s\S])*?)@flow\b/, id: 'tsx' },
  names: javascriptNames,
};
