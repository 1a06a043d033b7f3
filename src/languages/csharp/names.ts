/** How names work in C#. */
import { isColonLabel, nameRules, wordSet } from '../name-rules.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';

export const csharpNames = nameRules({
  family: 'csharp',
  superCalls: 'constructor',
  builtinMethods: BUILTIN_METHODS,
  visible: 'package',
  outwardPackages: true,
  implicitSelf: true,
  openTypes: true,
  parts: 'partial',
  extensionFunctions: 'this-parameter',
  typesByArity: true,
  superWord: 'base',
  transparentTypes: wordSet('Nullable'),
  wildByName: true,
  reexports: 'modules',
  aliasIsType: true,
  globalPaths: 'qualified',
  declares: 'type-name',
  overloads: true,
  literal: /^[@$]+"/,
  mentions: { isLabel: isColonLabel },
  main: 'Main',
  entryFile: /(?:^|\/)Program\.cs$/,
});
