/** How names work in PHP. */
import { isColonLabel, nameRules, wordSet } from '../name-rules.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';
import { readPhp } from './declarations.ts';

export const phpNames = nameRules({
  family: 'php',
  builtinMethods: BUILTIN_METHODS,
  visible: 'package',
  packageSeparator: '\\',
  // An unqualified function or constant falls back to the global namespace.
  globalFallback: ['function', 'constant'],
  selfWords: wordSet('this self Self cls $this static __MODULE__'),
  superWord: 'parent',
  fieldPrefix: '\\$this->',
  reexports: 'modules',
  globalPaths: 'any',
  namespaceFunctions: true,
  declares: 'type-name',
  readDeclared: readPhp,
  resultBehind: true,
  variableSign: '$',
  propertiesApart: true,
  mentions: { quoted, signed, isLabel: isColonLabel },
});

/** Callables are often strings in an array: `[$this, 'run']`, `[Job::class, 'run']`. */
function quoted(before: string, isFunction: boolean): string | null {
  if (!isFunction) return null;
  const owner = /(?:\[|\barray\(|\(|,)\s*(&?\$\w+|[\w\\]+::class|__CLASS__)\s*,\s*['"]$/.exec(before)?.[1];
  if (!owner) return '';
  return owner === '__CLASS__' ? 'self' : owner.replace(/^&|::class$/g, '');
}

/**
 * A method is never read as a value, a variable never means a symbol of another file, and a namespace path is a type.
 */
function signed(before: string, _after: string, isFunction: boolean): null | undefined {
  if (/\\$/.test(before) || (isFunction && /(?:->|::)\s*$/.test(before))) return null;
  return /\$$/.test(before) && !/::\$$/.test(before) ? null : undefined;
}
