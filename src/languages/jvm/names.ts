/** How names work in Java, Kotlin and Scala, which see each other's definitions. */
import { nameRules } from '../name-rules.ts';
import { readColon } from '../runtime/reading/name-colon.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';

export const javaNames = nameRules({
  family: 'jvm',
  superCalls: 'constructor',
  builtinMethods: BUILTIN_METHODS,
  visible: 'package',
  implicitSelf: true,
  variablesApart: true,
  filePrivate: true,
  wildByName: true,
  scopedImports: true,
  reexports: 'modules',
  globalPaths: 'qualified',
  declares: 'type-name',
  overloads: true,
  mentions: {
    // `value = 1` in the brackets of an annotation or call labels an argument.
    isLabel: (before, after) => /^\s*=(?!=)/.test(after) && /[(,]\s*$/.test(before),
  },
  main: 'main',
});

const withColons = nameRules({
  ...javaNames,
  variablesApart: false,
  openTypes: true,
  declares: 'name-colon-type',
  readDeclared: readColon,
  trailingBlock: true,
});

export const kotlinNames = nameRules({
  ...withColons,
  outsideMethods: 'family',
  extensionFunctions: 'receiver',
  // Kotlin multiplatform: an `expect` declaration, and an `actual` body for each platform.
  platformCopies: true,
});

export const scalaNames = nameRules({
  ...withColons,
  outwardPackages: true,
  filePrivate: false,
  // Of a Scala class and its companion object, the class.
  mainType: /\bclass\b|\btrait\b/,
  literal: /^(?:s|f|raw)"/,
});
