/** How names work in Python. */
import { nameRules, wordSet } from '../name-rules.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';
import { readPython } from './declarations.ts';

export const pythonNames = nameRules({
  family: 'python',
  builtinMethods: BUILTIN_METHODS,
  blockLocals: false,
  transparentTypes: wordSet('Optional Annotated Final ClassVar Type type Required NotRequired ReadOnly'),
  fieldPrefix: 'self\\.',
  importsAreExports: true,
  dottedModules: true,
  declares: 'name-colon-type',
  readDeclared: readPython,
  receiverParameter: /^(?:self|cls)$/,
  literal: /^(?:[bfrtu]|[bft]r|r[bft])["']|^(?:True|False)\b/i,
  braceDictionary: true,
  mentions: {
    isLabel: (before, after) => /^=(?!=)/.test(after) || (/^:/.test(after) && /(?:^|[(,])\s*\**$/.test(before)),
  },
});
