/**
 * How names work in a language, as far as resolving them goes: what a file sees, how types continue and inherit, how
 * modules give names away. The graph asks these rules and knows no language by name. A language without rules has only
 * its files and their imports.
 */
import type { SymbolKind } from '../model/records/symbol.ts';
import type { ReadDeclared } from './runtime/reading/declared.ts';
import { readColon } from './runtime/reading/name-colon.ts';
import { readTypeFirst } from './runtime/reading/type-first.ts';

/** Names of other files that are visible without an import. */
export type Visible =
  /** The files of the folder that declare the same package (Go). */
  | 'folder'
  /** The files that declare the same package. */
  | 'package'
  /** The files of the same unit of the build (Swift's targets). */
  | 'unit'
  /** Names that headers declare and sources of the program define at the top (C). */
  | 'linked'
  /** Whatever has a name at the top of any file (Ruby, shell). */
  | 'global'
  | 'none';

/** Scopes: what a bare name may mean. */
interface ScopeRules {
  /** Languages that see each other's definitions. */
  readonly family: string;
  readonly visible: Visible;
  /** A bare name may be a member of the type around it. */
  readonly implicitSelf: boolean;
  /** With `visible: 'package'`: the packages around the own one are seen, too. */
  readonly outwardPackages: boolean;
  readonly packageSeparator: string;
  /**
   * With `visible: 'package'`: kinds of symbols that are looked for in the global package when the own one lacks them.
   */
  readonly globalFallback: readonly SymbolKind[];
  /** Files whose definitions are seen by their like only: tests that stand beside the code. */
  readonly testFile: RegExp | null;
  /** With `visible: 'unit'`: the folder of a unit of the build, where the layout of paths tells it. */
  readonly unitFolder: RegExp | null;
  /** With `visible: 'linked'`: files that are included. */
  readonly header: RegExp | null;
  /** Macros are seen in the whole unit of the build. */
  readonly unitMacros: boolean;
  /** Is what a line defines there under a condition only? */
  readonly isConditional: ((lines: readonly string[], line: number, path: string) => boolean) | null;
  /** A definition inside of a block or callback is seen in there only. */
  readonly blockDefinitions: boolean;
  /** Code stands in blocks outside of all functions: callbacks, tests, macros. */
  readonly topBlocks: boolean;
  /** A block's declarations end with the block. */
  readonly blockLocals: boolean;
  /** Variables have names of their own: a call never means one. */
  readonly variablesApart: boolean;
  /** A name with brackets behind it is a call, whatever variables there are. */
  readonly bracketsCall: boolean;
  /** Functions are values like others: a variable of the same name may be what is called. */
  readonly functionsAreValues: boolean;
  /** A file without imports may use what other files define at the top. */
  readonly sharedScripts: boolean;
  /** Methods that the language's own types have: on an unknown value nothing makes them likely to be one of ours. */
  readonly builtinMethods: ReadonlySet<string>;
  /** A value that is read behind an unknown one is nearly always the platform's. */
  readonly platformValues: boolean;
  /** Objects that every program has: where a file neither declares nor imports the name, the platform's is meant. */
  readonly platformObjects: ReadonlySet<string>;
  /** Names that are not exported are visible in their own folder only. */
  readonly folderPrivate: boolean;
  /** Private names are visible in their own file only. */
  readonly filePrivate: boolean;
  /** A bare name may mean a method of any type, where nothing in scope says what it is. */
  readonly bareMethods: boolean;
  /** A file that uses a name of another folder imports that folder. */
  readonly importsDecide: boolean;
}

/** How a class is made, where its list of bases holds more than names. */
export interface MadeBy {
  /** Receivers and arguments of calls among the bases: `Base` and `Query` of `class M(Base.from_query(Query))`. */
  readonly sources: readonly string[];
  /** '' where none is written. */
  readonly metaclass: string;
}

/** Types: what continues them, who implements them, which words stand for them. */
interface TypeRules {
  /**
   * A type may be continued elsewhere: extensions, impl blocks, partial and reopened classes, methods outside of their
   * type.
   */
  readonly openTypes: boolean;
  /** With `openTypes`: which other definitions of a type's name are parts of it. */
  readonly parts: 'none' | 'extensions' | 'partial' | 'reopened';
  /** The parts of a type lie in one unit of the build. */
  readonly unitParts: boolean;
  /** Files in which methods may stand outside of their type. */
  readonly outsideMethods: 'none' | 'folder' | 'family';
  /** Nothing says that a type implements an interface: it does where it has all methods, of the same shape. */
  readonly methodShape: ((signature: string, name: string) => string) | null;
  /**
   * The type that a declaration's signature asserts to implement the interface it names, null where it asserts nothing.
   */
  readonly assertedType: ((signature: string) => string | null) | null;
  /** The form of a function that extends a type from outside. */
  readonly extensionFunctions: 'none' | 'this-parameter' | 'receiver' | 'extension-block';
  /** Types of one name may differ in the number of their type arguments. */
  readonly typesByArity: boolean;
  /** Of several types of one whole name, the one whose signature fits is the type; the others accompany it. */
  readonly mainType: RegExp | null;
  /** A definition may have a copy for every platform. */
  readonly platformCopies: boolean;
  /** Objects that functions were put into are as good as types. */
  readonly objectsAreTypes: boolean;
  /** A type is a value: it may be computed, and a file is one, too. */
  readonly typesAreValues: boolean;
  /** Words for the type around a place or a value of it, and for what that type inherits. */
  readonly selfWords: ReadonlySet<string>;
  readonly superWord: string;
  /** The meaning of a call of `superWord`: the parent's constructor, or the parent's method of the same name. */
  readonly superCalls: 'none' | 'constructor' | 'method';
  /** Types that only pass on what they hold. */
  readonly transparentTypes: ReadonlySet<string>;
  /** The target of an alias's declaration, where `=` and `typedef` do not show it. */
  readonly aliasedText: ((signature: string, name: string) => string | undefined) | null;
  /** The pattern before a field's name where it is declared by assigning to it: `self\.`. */
  readonly fieldPrefix: string;
  /** Computed bases and the metaclass in a class's signature. */
  readonly madeBy: ((signature: string) => MadeBy) | null;
  /** The mark behind a type's name that constructs it, where a call of the name does not. */
  readonly constructionMark: RegExp | null;
}

/** Modules: what imports bring in and files give away. */
interface ModuleRules {
  /** An import brings all names of what it leads to in, whatever it is called. */
  readonly opensImports: boolean;
  /** Names of whole imports are looked up through the name and not through every file. */
  readonly wildByName: boolean;
  /** A package is called what its files declare: does the import's line write the alias itself? */
  readonly writesAlias: ((line: string, alias: string) => boolean) | null;
  /** An import names something inside of a scope, and not a file: `using a::b`. */
  readonly bindsScopes: boolean;
  /** The source of an import ends with the scope that its names stand in. */
  readonly scopedImports: boolean;
  /** The imports that a file re-exports: none, modules only, names, or whole modules, too. */
  readonly reexports: 'none' | 'modules' | 'names' | 'all';
  /** Whatever a package imports is its own as well, in words that need no `export`. */
  readonly importsAreExports: boolean;
  /** A local name of an import stands for the module itself. */
  readonly importsAreModules: boolean;
  /** A file imported as a whole is a value: its default export, or the object that it gives. */
  readonly importsAreValues: boolean;
  /** An alias of an import may stand for the type of that name in it. */
  readonly aliasIsType: boolean;
  readonly readExports: ((text: string) => ModuleExports) | null;
  /** An expression that imports; its first group is the source. */
  readonly importExpression: RegExp | null;
  /** A call of what an expression imports: the word that begins it, and the whole, whose first group is the source. */
  readonly calledImport: { readonly word: string; readonly pattern: RegExp } | null;
  /** The table that a file returns, and what that falls back on. */
  readonly returnedTable: ((text: string) => ReturnedTable) | null;
  /** Modules have global names: the whole name says what is meant, in any file. */
  readonly globalModules: boolean;
  /** Names of types that need no import: only qualified ones, or bare ones, too. */
  readonly globalPaths: 'none' | 'qualified' | 'any';
  /** Namespaces hold functions, too, which may be called by their whole names. */
  readonly namespaceFunctions: boolean;
  /** `import a.b.c` lets `a.b.c.f` be written. */
  readonly dottedModules: boolean;
  /** Words that begin a path of modules without an import: `crate`, `super`. Null where there are no such paths. */
  readonly pathWords: ReadonlySet<string> | null;
  /** The meaning of a built-in expression: the type around, or a source, with the names that follow. */
  readonly builtin: ((expression: string) => Builtin | null) | null;
}

/** Declarations and calls, as their text tells. */
interface ReadingRules {
  /** How a variable says its type. */
  readonly declares: 'name-colon-type' | 'type-name' | 'name-type' | 'assignment';
  readonly readDeclared: ReadDeclared;
  /** The sign that belongs to the name of a variable. */
  readonly variableSign: string;
  /** Types and functions may have several definitions of one name that differ in their parameters. */
  readonly overloads: boolean;
  /** Several definitions in one scope are clauses of one function. */
  readonly clauses: boolean;
  /** Of several definitions in one scope conditions decide which is compiled. */
  readonly conditional: boolean;
  /** Functions are declared apart from their definitions. */
  readonly prototypes: boolean;
  /** Members of objects without a name stand at the top, without being names there. */
  readonly objectMembers: boolean;
  /** The sign behind a name that means a macro and nothing else. */
  readonly macroMark: string;
  /** A property and a method may share a name: brackets tell them apart. */
  readonly propertiesApart: boolean;
  /** A receiver may stand before a name that the grammar does not show: of any reference, or of all but calls. */
  readonly hiddenReceivers: 'none' | 'all' | 'types';
  /** The method that calls a function as an object: `.call`. */
  readonly applied: RegExp | null;
  /** A block behind a call is one more argument. */
  readonly trailingBlock: boolean;
  /** Arguments have labels, in the order of the parameters. */
  readonly argumentLabels: boolean;
  /** The first parameter of a method, which callers do not write. */
  readonly receiverParameter: RegExp | null;
  /** The operator before a call that takes its first argument from the left. */
  readonly pipe: RegExp | null;
  /** Parameters stand in the first brackets of a signature, where none follow the name. */
  readonly unnamedList: boolean;
  /** The result from what stands behind the parameters. */
  readonly readResult: ((rest: string) => string) | null;
  /** With `declares: 'type-name'`: results stand behind the parameters all the same. */
  readonly resultBehind: boolean;
  /** The mark before a result's type. */
  readonly resultPrefix: RegExp | null;
  /** The type of a method's receiver, where its name is this one. */
  readonly receiverType: ((signature: string, name: string) => string | undefined) | null;
  /** The signature has a parameter of that name of which nothing more is said: `x => …`. */
  readonly impliedParameter: ((signature: string, name: string) => boolean) | null;
  /** Beginnings of literals besides quotes, digits and brackets. */
  readonly literal: RegExp | null;
  /** `{…}` is a dictionary. */
  readonly braceDictionary: boolean;
  /** The type of the elements that a literal begins with, '' where it has none. */
  readonly elementType: ((expression: string) => string) | null;
  /** `?` goes on with what a result or an option holds. */
  readonly questionUnwraps: boolean;
}

export interface NameRules extends ScopeRules, TypeRules, ModuleRules, ReadingRules {
  /** How a name is used that no reference of an index shows; null where that is never looked for. */
  readonly mentions: MentionRules | null;
  /** The function in which programs begin, '' where their files say so by their names. */
  readonly main: string;
  /** Files that are where a program or library begins, whatever is in them. */
  readonly entryFile: RegExp | null;
}

/** Exports of a file beyond its declarations. */
export interface ModuleExports {
  /** The name that is the default export or the whole of what the file gives, '' where it has none. */
  readonly whole: string;
  /** `module.exports = require('./lib/express')`: the source whose exports these are, '' where there is none. */
  readonly passedOn: string;
  /** Own names by the names outside, where they differ. */
  readonly renamed: ReadonlyMap<string, string>;
  /**
   * `exports.g = require('./g')`: sources by the names outside, with the member that is taken of each, '' for the
   * whole.
   */
  readonly required: ReadonlyMap<string, { readonly source: string; readonly member: string }>;
}

export interface ReturnedTable {
  /** Name of the returned table in the file, '' where the file returns something else. */
  readonly table: string;
  /** The fallback: sources, or local names of imports. */
  readonly parents: readonly { readonly source?: string; readonly alias?: string }[];
}

export interface Builtin {
  /** Null: the type around the place. */
  readonly source: string | null;
  readonly path: readonly string[];
}

/** Does a place that names a symbol mean it? */
export interface MentionRules {
  /** A name in quotes may be called: what stands before it says on what. Null: it is a text. */
  readonly quoted?: (before: string, isFunction: boolean) => string | null;
  /** Signs around the name that decide. Undefined: they do not. */
  readonly signed?: (before: string, after: string, isFunction: boolean) => string | null | undefined;
  /** The sign that makes a name a text which is called by its name: `:check`. */
  readonly nameSign?: string;
  /** The word names an argument, a field or an attribute. */
  readonly isLabel?: (before: string, after: string) => boolean;
  /** `.name` alone is a member of a type that only the compiler knows. */
  readonly leadingDot?: boolean;
  /** The text before a name that is exported and not used. */
  readonly givesAway?: RegExp;
  /** Lines that begin a list of names that are given away. */
  readonly exportList?: RegExp;
  /** A bare word of another file rarely means a function at the top of this one. */
  readonly ownFileOnly?: boolean;
}

const DEFAULTS: NameRules = {
  family: '',
  visible: 'none',
  unitFolder: null,
  implicitSelf: false,
  outwardPackages: false,
  packageSeparator: '.',
  globalFallback: [],
  testFile: null,
  header: null,
  unitMacros: false,
  isConditional: null,
  blockDefinitions: false,
  topBlocks: false,
  blockLocals: true,
  variablesApart: false,
  bracketsCall: false,
  functionsAreValues: false,
  sharedScripts: false,
  platformValues: false,
  platformObjects: new Set(),
  builtinMethods: new Set(),
  folderPrivate: false,
  filePrivate: false,
  bareMethods: false,
  importsDecide: false,
  openTypes: false,
  parts: 'extensions',
  unitParts: false,
  outsideMethods: 'none',
  methodShape: null,
  assertedType: null,
  extensionFunctions: 'none',
  typesByArity: false,
  mainType: null,
  platformCopies: false,
  objectsAreTypes: false,
  typesAreValues: false,
  selfWords: new Set(['this', 'self', 'Self', 'cls', '$this', '__MODULE__']),
  superWord: 'super',
  superCalls: 'none',
  transparentTypes: new Set(),
  aliasedText: null,
  fieldPrefix: '',
  madeBy: null,
  constructionMark: null,
  opensImports: false,
  wildByName: false,
  writesAlias: null,
  bindsScopes: false,
  scopedImports: false,
  reexports: 'all',
  importsAreExports: false,
  importsAreModules: false,
  importsAreValues: false,
  aliasIsType: false,
  readExports: null,
  importExpression: null,
  calledImport: null,
  returnedTable: null,
  globalModules: false,
  globalPaths: 'none',
  namespaceFunctions: false,
  dottedModules: false,
  pathWords: null,
  builtin: null,
  declares: 'assignment',
  readDeclared: readColon,
  variableSign: '',
  overloads: false,
  clauses: false,
  conditional: false,
  prototypes: false,
  objectMembers: false,
  macroMark: '',
  propertiesApart: false,
  hiddenReceivers: 'none',
  applied: null,
  trailingBlock: false,
  argumentLabels: false,
  receiverParameter: null,
  pipe: null,
  unnamedList: false,
  readResult: null,
  resultBehind: false,
  resultPrefix: null,
  receiverType: null,
  impliedParameter: null,
  literal: null,
  braceDictionary: false,
  elementType: null,
  questionUnwraps: false,
  mentions: {},
  main: '',
  entryFile: null,
};

/** A language's rules: what it says itself, and the commonest for the rest. */
export function nameRules(own: Partial<NameRules> & Pick<NameRules, 'family'>): NameRules {
  return { ...DEFAULTS, ...(own.declares === 'type-name' && { readDeclared: readTypeFirst }), ...own };
}

/** `name: value` gives a name to an argument or a field. */
export function isColonLabel(before: string, after: string): boolean {
  return /^\??:(?!:)/.test(after) && !/\bcase\b[^:]*$/.test(before);
}

/** Words of a list that is written as text. */
export function wordSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}
