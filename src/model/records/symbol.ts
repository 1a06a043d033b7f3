/**
 * What a parser finds in one content. Nothing here depends on the path: the index is content-addressed. Lines are
 * 1-based and inclusive.
 */

export const SYMBOL_KINDS = [
  'function',
  'method',
  'class',
  'struct',
  'interface',
  'protocol',
  'trait',
  'enum',
  'type',
  'constant',
  'variable',
  'field',
  'property',
  'module',
  'macro',
  'extension',
] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

const CALLABLE: readonly SymbolKind[] = ['function', 'method'];
const TYPES: readonly SymbolKind[] = ['type', 'struct', 'class', 'interface', 'enum', 'protocol', 'trait'];

/** Types and modules: what has members under its own name. */
export const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([...TYPES, 'module']);
/** With extensions, which hold members of a type that is named elsewhere. */
export const CONTAINER_KINDS: ReadonlySet<SymbolKind> = new Set([...TYPE_KINDS, 'extension']);

/**
 * What a word of a question may mean: types, modules and what can be called, not the fields and values that share their
 * names.
 */
export const PROMINENT_KINDS: ReadonlySet<SymbolKind> = new Set([...CONTAINER_KINDS, 'function', 'method', 'macro']);

/** Words that people and agents write for a kind, and the kinds that each means. */
export const KIND_ALIASES: ReadonlyMap<string, readonly SymbolKind[]> = new Map<string, readonly SymbolKind[]>([
  ['fn', CALLABLE],
  ['func', CALLABLE],
  ['function', CALLABLE],
  ['def', CALLABLE],
  ['sub', CALLABLE],
  ['method', ['method']],
  ['constructor', ['method']],
  ['class', ['class']],
  ['struct', ['struct']],
  ['record', ['struct', 'class']],
  ['interface', ['interface', 'protocol', 'trait']],
  ['protocol', ['protocol', 'interface']],
  ['trait', ['trait', 'interface']],
  ['enum', ['enum']],
  ['type', TYPES],
  ['typealias', ['type']],
  ['alias', ['type']],
  ['const', ['constant']],
  ['constant', ['constant']],
  ['var', ['variable', 'constant']],
  ['variable', ['variable', 'constant']],
  ['let', ['variable', 'constant']],
  ['static', ['constant', 'variable']],
  ['field', ['field', 'property']],
  ['property', ['property', 'field']],
  ['member', ['field', 'property', 'method']],
  ['module', ['module']],
  ['mod', ['module']],
  ['namespace', ['module']],
  ['package', ['module']],
  ['object', ['class', 'module']],
  ['macro', ['macro']],
  ['extension', ['extension']],
  ['impl', ['extension']],
]);

export type Visibility = 'public' | 'protected' | 'internal' | 'private';

export interface SymbolRecord {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Index of the enclosing symbol in the same file, -1 at the top. */
  readonly parent: number;
  /**
   * Names from the outermost scope in this file to the symbol, joined with the language's separator
   * ("AuthService.refresh", "jwt::validate").
   */
  readonly qualifiedName: string;
  /** Declaration without its body, white space folded, at most 400 characters. */
  readonly signature: string;
  /** Doc comment as plain text without comment marks; '' where there is none. */
  readonly doc: string;
  readonly visibility: Visibility;
  /** Where the doc comment (or the attributes, or else the definition) begins. */
  readonly fullStartLine: number;
  readonly startLine: number;
  readonly endLine: number;
  /** Line of the name, which is what ctags reports, and its column (1-based, UTF-16). */
  readonly nameLine: number;
  readonly nameColumn: number;
  /** In definitions of more than 60 lines: lines at which a statement of the body begins, for splitting. */
  readonly borders?: readonly number[];
}

/** A module that holds tests beside the code that they test, as Rust has them. */
export function isTestModule({ kind, name }: Pick<SymbolRecord, 'kind' | 'name'>): boolean {
  return kind === 'module' && /^tests?$/.test(name);
}

export type ReferenceKind = 'call' | 'type' | 'inherit' | 'conform' | 'extend' | 'read';

export interface Reference {
  readonly kind: ReferenceKind;
  /** Last segment of what is referred to ("refresh" in `this.auth.refresh()`). */
  readonly name: string;
  /** The receiver as written ("this.auth", "jwt", "std::fs"), '' without one. At most 120 characters. */
  readonly receiver: string;
  readonly line: number;
  readonly column: number;
  /** Index of the innermost symbol that contains the reference, -1 at the top. */
  readonly from: number;
}

export interface ImportRecord {
  /** As written: './auth', 'net/http', 'java.util.List', 'crate::auth::jwt', 'stdio.h'. */
  readonly source: string;
  /** Imported names with their local names; empty where the whole module is imported. '*' for a wildcard. */
  readonly names: readonly { readonly name: string; readonly local: string }[];
  /** Local name of the module as a whole ("http", "np" in `import numpy as np`), '' where there is none. */
  readonly alias: string;
  readonly line: number;
}

export interface DocSection {
  /** Heading path from the outermost to this section's own heading; [] before the first heading. */
  readonly path: readonly string[];
  readonly startLine: number;
  readonly endLine: number;
}

export interface ParseProblem {
  readonly line: number;
  readonly message: string;
}

export interface ParsedFile {
  readonly language: string;
  readonly lineCount: number;
  /**
   * Package, module or namespace that the content itself declares ("auth" in Go, "com.acme.auth" in Java), '' where it
   * does not.
   */
  readonly package: string;
  /** In source order; a parent comes before its children. */
  readonly symbols: readonly SymbolRecord[];
  readonly references: readonly Reference[];
  readonly imports: readonly ImportRecord[];
  /** Documentation and data files: their sections. Empty for code. */
  readonly sections: readonly DocSection[];
  /** Front matter tags and the like, lower case. */
  readonly tags: readonly string[];
  /** Syntax errors and exhausted budgets; symbols are then partial, never none without an entry here. */
  readonly problems: readonly ParseProblem[];
}
