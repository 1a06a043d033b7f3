/** How names work in Rust. */
import { isColonLabel, nameRules, wordSet } from '../name-rules.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';
import { readRust } from './declarations.ts';

export const rustNames = nameRules({
  family: 'rust',
  builtinMethods: BUILTIN_METHODS,
  unitMacros: true,
  topBlocks: true,
  openTypes: true,
  unitParts: true,
  // In Rust, `super` is the parent module and no supertype.
  superWord: '',
  transparentTypes: wordSet('Box Arc Rc Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Pin Cow'),
  pathWords: wordSet('crate self super'),
  declares: 'name-colon-type',
  readDeclared: readRust,
  conditional: true,
  macroMark: '!',
  hiddenReceivers: 'all',
  resultPrefix: /^(?:impl|dyn)\s+/,
  literal: /^(?:b|c|r|br|cr)#*["']/,
  questionUnwraps: true,
  mentions: { isLabel: isColonLabel },
  main: 'main',
  entryFile: /(?:^|\/)src\/lib\.rs$/,
});
