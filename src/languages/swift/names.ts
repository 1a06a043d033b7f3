/** How names work in Swift. */
import { isColonLabel, nameRules, wordSet } from '../name-rules.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';

export const swiftNames = nameRules({
  family: 'swift',
  builtinMethods: BUILTIN_METHODS,
  visible: 'unit',
  unitFolder: /^(?:.*\/)?(?:Sources|Tests|Plugins)\/[^/]+(?=\/)/,
  implicitSelf: true,
  openTypes: true,
  extensionFunctions: 'extension-block',
  transparentTypes: wordSet('Optional'),
  opensImports: true,
  wildByName: true,
  reexports: 'names',
  declares: 'name-colon-type',
  overloads: true,
  hiddenReceivers: 'all',
  trailingBlock: true,
  argumentLabels: true,
  unnamedList: true,
  mentions: { isLabel: isColonLabel, leadingDot: true },
});
