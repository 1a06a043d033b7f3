/**
 * The rules by which a language resolves names: what a file sees, how types are extended and inherit, how modules
 * import and export. The graph reads these rules and knows no language by name. A language without rules has only files
 * and imports.
 */

import type { SymbolKind } from '../model/records/symbol.ts';
import type { EntryManifests } from './entry-manifests.ts';
import type { ReadDeclared } from './runtime/reading/declared.ts';
import { readColon } from './runtime/reading/name-colon.ts';
import { readTypeFirst } from './runtime/reading/type-first.ts';

/** Symbols of other files that are visible without an import. */
export type Visible =
  /** Those of files of the folder that declare the same package (Go). */
  | 'folder'
  /** Those of files that declare the same package (Java). */
  | 'package'
  /** Those of the same build target (Swift). */
  | 'unit'
  /** Those that headers declare and sources of the program define at top level (C). */
  | 'linked'
  /** All top-level symbols of any file (Ruby, shell). */
  | 'global'
  | 'none';

/** What an unqualified name may mean. */
interface ScopeRules {
  /** Languages of one family can refer to each other's symbols. */
  readonly family: string;
  readonly visible: Visible;
  /** An unqualified name may be a member of the enclosing type. */
  readonly implicitSelf: boolean;
  /** With `visible: 'package'`: symbols of enclosing packages are visible, too (C#). */
  readonly outwardPackages: boolean;
  readonly packageSeparator: string;
  /**
   * With `visible: 'package'`: kinds of symbols that are looked up in the global package if the file's has none (PHP).
   */
  readonly globalFallback: readonly SymbolKind[];
  /** Test files beside the code (`*_test.go`): only other test files see their symbols. */
  readonly testFile: RegExp | null;
  /** With `visible: 'unit'`: the folder of a build target, where the path tells it. */
  readonly unitFolder: RegExp | null;
  /** With `visible: 'linked'`: header files. */
  readonly header: RegExp | null;
  /** Macros are visible in the whole build target (Rust). */
  readonly unitMacros: boolean;
  /** The definition on a line is compiled only under a condition (`#ifdef`). */
  readonly isConditional: ((lines: readonly string[], line: number, path: string) => boolean) | null;
  /** A definition inside of a block or callback is visible only there. */
  readonly blockDefinitions: boolean;
  /** Files have code in blocks outside of all functions: callbacks, tests, macros. */
  readonly topBlocks: boolean;
  /** Local variables end with their block. */
  readonly blockLocals: boolean;
  /** Variables and functions have separate namespaces: a call never means a variable. */
  readonly variablesApart: boolean;
  /** A name followed by brackets is a call, also where a variable of the name exists (Ruby). */
  readonly bracketsCall: boolean;
  /** A variable may hold a function, so a call may mean a variable. */
  readonly functionsAreValues: boolean;
  /** A file without imports may use top-level symbols of other files (browser scripts). */
  readonly sharedScripts: boolean;
  /** Methods of built-in types. A call of one on a value of unknown type is no sign of a method in the repository. */
  readonly builtinMethods: ReadonlySet<string>;
  /** A member that is read of a value of unknown type nearly always belongs to the platform. */
  readonly platformValues: boolean;
  /** Global objects of the platform. A file that neither declares nor imports the name means the platform's. */
  readonly platformObjects: ReadonlySet<string>;
  /** Symbols that are not exported are visible only in their folder. */
  readonly folderPrivate: boolean;
  /** Private symbols are visible only in their file. */
  readonly filePrivate: boolean;
  /** An unqualified name that no scope has may mean a method of any type. */
  readonly bareMethods: boolean;
  /** A file that uses a symbol of another folder must import that folder (Go). */
  readonly importsDecide: boolean;
}

/** Computed bases and the metaclass of a class (Python). */
export interface MadeBy {
  /** Receivers and arguments of calls among the bases: `Base` and `Query` of `class M(Base.from_query(Query))`. */
  readonly sources: readonly string[];
  /** '' for none. */
  readonly metaclass: string;
}

/** Parts, supertypes and names of types. */
interface TypeRules {
  /** A type may have parts elsewhere: extensions, impl blocks, partial or reopened classes, methods outside of it. */
  readonly openTypes: boolean;
  /** With `openTypes`: which other definitions of a type's name are parts of it. */
  readonly parts: 'none' | 'extensions' | 'partial' | 'reopened';
  /** All parts of a type are in one build target. */
  readonly unitParts: boolean;
  /** Where methods may be defined outside of their type. */
  readonly outsideMethods: 'none' | 'folder' | 'family';
  /** Structural interfaces: a type implements an interface if it has all methods, of the same shape (Go). */
  readonly methodShape: ((signature: string, name: string) => string) | null;
  /** The type that a declaration asserts to implement the interface it names; null for no assertion. */
  readonly assertedType: ((signature: string) => string | null) | null;
  /** The form of a function that extends a type from outside. */
  readonly extensionFunctions: 'none' | 'this-parameter' | 'receiver' | 'extension-block';
  /** Types of one name may differ in the number of their type parameters (C#). */
  readonly typesByArity: boolean;
  /** Of several types of one qualified name, the signature of the main one: a Scala class, not its companion object. */
  readonly mainType: RegExp | null;
  /** A definition may have a copy for every platform (Kotlin multiplatform). */
  readonly platformCopies: boolean;
  /** An object literal with functions works like a type with methods. */
  readonly objectsAreTypes: boolean;
  /** A type is a value, which may be computed, and a file is a type (Zig). */
  readonly typesAreValues: boolean;
  /** Words for the enclosing type or a value of it. */
  readonly selfWords: ReadonlySet<string>;
  /** The word for the supertype. */
  readonly superWord: string;
  /** What a call of `superWord` runs: the parent's constructor, or the parent's method of the same name. */
  readonly superCalls: 'none' | 'constructor' | 'method';
  /** Wrapper types whose members are those of the value inside: `Box<T>`, `Arc<T>`. */
  readonly transparentTypes: ReadonlySet<string>;
  /** The target of an alias, where neither `=` nor `typedef` shows it. */
  readonly aliasedText: ((signature: string, name: string) => string | undefined) | null;
  /** The pattern before a field's name in an assignment that declares it: `self\.`. */
  readonly fieldPrefix: string;
  /** Reads computed bases and the metaclass from the signature of a class. */
  readonly madeBy: ((signature: string) => MadeBy) | null;
  /** The text after a type's name that constructs it, where a call of the name does not (Ruby: `.new`). */
  readonly constructionMark: RegExp | null;
}

/** Imports and exports of modules. */
interface ModuleRules {
  /** An import opens all names of the imported module, also with an alias. */
  readonly opensImports: boolean;
  /** Imports of all names are looked up by the name, not file by file: they may lead to thousands of files. */
  readonly wildByName: boolean;
  /**
   * The line of an import contains the alias itself. Otherwise the package clause of the imported files names the
   * package (Go).
   */
  readonly writesAlias: ((line: string, alias: string) => boolean) | null;
  /** An import names a symbol in a scope, not a file: `using a::b`. */
  readonly bindsScopes: boolean;
  /** The source of an import ends with the scope of the imported names. */
  readonly scopedImports: boolean;
  /** The imports that a file re-exports: none, modules only, names, or whole modules, too. */
  readonly reexports: 'none' | 'modules' | 'names' | 'all';
  /** Everything that a package imports is part of its exports, without the word `export`. */
  readonly importsAreExports: boolean;
  /** The local name of an import means the module itself. */
  readonly importsAreModules: boolean;
  /** A file imported as a whole is a value: its default export, or its `module.exports`. */
  readonly importsAreValues: boolean;
  /** The alias of an import may mean the type of that name in the imported file. */
  readonly aliasIsType: boolean;
  readonly readExports: ((text: string) => ModuleExports) | null;
  /** An expression that imports; its first group is the source. */
  readonly importExpression: RegExp | null;
  /**
   * A call of an import expression (`require('./make')(…)`): its first word, and a pattern whose group is the source.
   */
  readonly calledImport: { readonly word: string; readonly pattern: RegExp } | null;
  /** Reads the table that a file returns, and the tables that lookups in it fall back to (Lua). */
  readonly returnedTable: ((text: string) => ReturnedTable) | null;
  /** Modules have global names: a qualified name means the same module in any file (Elixir). */
  readonly globalModules: boolean;
  /** Types that need no import: none, those with a qualified name, or all. */
  readonly globalPaths: 'none' | 'qualified' | 'any';
  /** Namespaces contain functions, which may be called by their qualified names (PHP). */
  readonly namespaceFunctions: boolean;
  /** `import a.b.c` allows `a.b.c.f` (Python). */
  readonly dottedModules: boolean;
  /** Words that begin a module path without an import: `crate`, `super`. Null for a language without such paths. */
  readonly pathWords: ReadonlySet<string> | null;
  /** The meaning of a built-in expression: the enclosing type or a source, and the names that follow. */
  readonly builtin: ((expression: string) => Builtin | null) | null;
}

/** How declarations and calls are written. */
interface ReadingRules {
  /** The order of name and type in a declaration. */
  readonly declares: 'name-colon-type' | 'type-name' | 'name-type' | 'assignment';
  readonly readDeclared: ReadDeclared;
  /** The character that begins the name of a variable: `$`. */
  readonly variableSign: string;
  /** Functions of one name may differ in their parameters. */
  readonly overloads: boolean;
  /** Several definitions in one scope are clauses of one function (Elixir). */
  readonly clauses: boolean;
  /** Several definitions in one scope may be compiled under different conditions (Rust's `#[cfg]`). */
  readonly conditional: boolean;
  /** A function may be declared without a body before its definition (C). */
  readonly prototypes: boolean;
  /** The index lists members of unnamed object literals at top level, where their names are not visible. */
  readonly objectMembers: boolean;
  /** The character after a name that makes it a macro: `!`. */
  readonly macroMark: string;
  /** A property and a method may share a name: brackets tell them apart. */
  readonly propertiesApart: boolean;
  /** References whose receiver the grammar may not show: all, or all but calls. */
  readonly hiddenReceivers: 'none' | 'all' | 'types';
  /** The method of function objects that calls the function: `.call`. */
  readonly applied: RegExp | null;
  /** A block after a call is one more argument. */
  readonly trailingBlock: boolean;
  /** Arguments have labels, in the order of the parameters. */
  readonly argumentLabels: boolean;
  /** The first parameter of a method, which callers do not write. */
  readonly receiverParameter: RegExp | null;
  /** The operator before a call whose left operand becomes the first argument: `|>`. */
  readonly pipe: RegExp | null;
  /** The parameter list may be the first brackets of a signature instead of those after the name. */
  readonly unnamedList: boolean;
  /** Reads the result type from the text after the parameters. */
  readonly readResult: ((rest: string) => string) | null;
  /** With `declares: 'type-name'`: the result type nevertheless follows the parameters. */
  readonly resultBehind: boolean;
  /** A prefix of a result type that is not part of its name: `impl`, `dyn`. */
  readonly resultPrefix: RegExp | null;
  /** The type of a method's receiver, if the receiver has this name. */
  readonly receiverType: ((signature: string, name: string) => string | undefined) | null;
  /** The signature has a parameter of this name without a type: `x => …`. */
  readonly impliedParameter: ((signature: string, name: string) => boolean) | null;
  /** Prefixes of literals other than quotes, digits and brackets. */
  readonly literal: RegExp | null;
  /** `{…}` is a dictionary. */
  readonly braceDictionary: boolean;
  /** The element type at the beginning of a literal (`[]Item{…}`), '' for none. */
  readonly elementType: ((expression: string) => string) | null;
  /** `?` yields the value inside of a Result or Option. */
  readonly questionUnwraps: boolean;
}

export interface NameRules extends ScopeRules, TypeRules, ModuleRules, ReadingRules {
  /** Rules for uses that the index does not store (reads, functions passed as values); null: they are not searched. */
  readonly mentions: MentionRules | null;
  /** The name of the main function; '' where programs start at the top of a file. */
  readonly main: string;
  /** Files that are entry points whatever they contain. */
  readonly entryFile: RegExp | null;
  /** The manifests that declare entry points; null: none. */
  readonly entryManifests: EntryManifests | null;
  /**
   * What the text of a file has that runs as a program, where a name like `main.py` does not tell; null: not checked.
   */
  readonly runs: RegExp | null;
}

/** Exports of a file that are no declarations. */
export interface ModuleExports {
  /** The local name of the default export, or the name assigned to `module.exports`; '' for none. */
  readonly defaultName: string;
  /** `module.exports = require('./lib/express')`: the source whose exports the file forwards; '' for none. */
  readonly forwardedSource: string;
  /** `export { own as name }`: local names by exported names. */
  readonly renamed: ReadonlyMap<string, string>;
  /** `exports.g = require('./g').member`: sources by exported names, with the member, '' for the whole module. */
  readonly required: ReadonlyMap<string, { readonly source: string; readonly member: string }>;
}

export interface ReturnedTable {
  /** The local name of the returned table; '' where the file returns something else. */
  readonly table: string;
  /** Tables that a lookup falls back to: sources, or local names of imports. */
  readonly parents: readonly { readonly source?: string; readonly alias?: string }[];
}

export interface Builtin {
  /** Null: the enclosing type. */
  readonly source: string | null;
  readonly path: readonly string[];
}

/** Decides whether a place with a symbol's name is a use of the symbol. The functions get the text around the name. */
export interface MentionRules {
  /** The receiver of a name in quotes that may be called (`send('save')`); null for plain text. */
  readonly quoted?: (before: string, isFunction: boolean) => string | null;
  /**
   * The receiver where characters around the name decide (`&method`); null for no use; undefined: they do not decide.
   */
  readonly signed?: (before: string, after: string, isFunction: boolean) => string | null | undefined;
  /** The character that makes a name a symbol literal: `:check`. */
  readonly nameSign?: string;
  /** The word labels an argument, a field or an attribute. */
  readonly isLabel?: (before: string, after: string) => boolean;
  /** `.name` is a member of a type that the compiler infers (Swift). */
  readonly leadingDot?: boolean;
  /** The text before a name that is exported, not used. */
  readonly givesAway?: RegExp;
  /** Lines that begin an export list. */
  readonly exportList?: RegExp;
  /** A word in another file rarely means a top-level function of this one, so only the function's file is searched. */
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
  entryManifests: null,
  runs: null,
};

/** The rules that a language states, completed with defaults. */
export function nameRules(own: Partial<NameRules> & Pick<NameRules, 'family'>): NameRules {
  return { ...DEFAULTS, ...(own.declares === 'type-name' && { readDeclared: readTypeFirst }), ...own };
}

/** The name is a label of an argument or field: `name: value`. */
export function isColonLabel(before: string, after: string): boolean {
  return /^\??:(?!:)/.test(after) && !/\bcase\b[^:]*$/.test(before);
}

/** A set of words that are separated by spaces. */
export function wordSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}
