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
    // In another file, a bare word is a local variable, a method of a type, or something that a test sets up.
    ownFileOnly: true,
  },
});

function signed(before: string, after: string, isFunction: boolean): string | null | undefined {
  // A method that caches its result in an instance variable of its name (`@name`) does not use itself.
  if (/@$/.test(before)) return isFunction ? null : 'self';
  if (/(?:^|[^:]):$/.test(before)) return isFunction && !/^\s*=>/.test(after) ? '' : null;
  return undefined;
}
