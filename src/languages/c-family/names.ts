/** How names work in C and C++. */
import { nameRules, wordSet } from '../name-rules.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';

export const cNames = nameRules({
  family: 'c',
  builtinMethods: BUILTIN_METHODS,
  visible: 'linked',
  header: /\.(?:h|hh|hpp|hxx|h\+\+|inc|ipp|inl|tcc|def)$/,
  isConditional,
  openTypes: true,
  parts: 'none',
  wildByName: true,
  bindsScopes: true,
  reexports: 'modules',
  globalPaths: 'any',
  declares: 'type-name',
  prototypes: true,
  literal: /^(?:L|u8?|U)["']/,
  main: 'main',
});

export const cppNames = nameRules({
  ...cNames,
  implicitSelf: true,
  parts: 'extensions',
  outsideMethods: 'family',
  transparentTypes: wordSet('unique_ptr shared_ptr scoped_refptr optional reference_wrapper not_null NotNull StatusOr'),
  overloads: true,
  literal: /^(?:(?:L|u8?|U)?R?"|(?:L|u8?|U)')/,
});

/** The line is inside of `#if`, other than the include guard of a header. */
function isConditional(lines: readonly string[], line: number, path: string): boolean {
  let depth = 0;
  for (const text of lines.slice(0, line - 1)) {
    if (/^\s*#\s*if/.test(text)) depth++;
    else if (/^\s*#\s*endif/.test(text)) depth--;
  }
  const isGuarded = /\.h\w*$/.test(path) && /^\s*#\s*ifndef/m.test(lines.slice(0, 60).join('\n'));
  return depth > Number(isGuarded);
}
