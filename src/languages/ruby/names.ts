/** How names work in Ruby. */
import { isColonLabel, nameRules } from '../name-rules.ts';
import { readAssigned } from '../runtime/reading/assigned.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';

export const rubyNames = nameRules({
  family: 'ruby',
  superCalls: 'method',
  builtinMethods: BUILTIN_METHODS,
  visible: 'global',
  implicitSelf: true,
  blockLocals: false,
  bracketsCall: true,
  bareMethods: true,
  openTypes: true,
  parts: 'reopened',
  fieldPrefix: '@',
  constructionMark: /^\.new\b/,
  reexports: 'names',
  globalPaths: 'any',
  declares: 'assignment',
  readDeclared: readAssigned,
  literal: /^(?:%[wWiIqQrsx]?[^\w\s=]|:["\w]|<<[~-])/,
  braceDictionary: true,
  mentions: {
    signed,
    nameSign: ':',
    isLabel: isColonLabel,
    // It is a local, a method of a type or of whatever a test sets up.
    ownFileOnly: true,
  },
});

function signed(before: string, after: string, isFunction: boolean): string | null | undefined {
  // A method that keeps what it found in a variable of its name is not that variable.
  if (/@$/.test(before)) return isFunction ? null : 'self';
  if (/(?:^|[^:]):$/.test(before)) return isFunction && !/^\s*=>/.test(after) ? '' : null;
  return undefined;
}
