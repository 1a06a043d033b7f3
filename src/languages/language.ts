/**
 * A language is data: a descriptor (this type, one record per language in descriptors/) plus a query file (queries/<id>.scm) and a fixture
 * with a reviewed snapshot (fixtures/). extract.ts turns the query's captures into a ParsedFile; no language has a tree walk of its own
 * beyond the small hooks below.
 *
 * Captures that extract.ts understands:
 *   @definition.<kind>   the node of a definition (kind: a SymbolKind). Its pattern also captures
 *   @name                the name (a node whose text is the name). Required.
 *   @scope               a node that gives its inner definitions a parent name without being a definition itself (Rust `impl`, a C++ out-of-line
 *                        qualifier, Go receiver): its pattern captures the name as @scope.name. Containment decides what is inside.
 *   @receiver            inside a @definition pattern: the type a method belongs to when it stands outside of it (Go receivers, Lua `M.f`, Kotlin
 *                        extension functions). It becomes the parent part of the qualified name, and the parent where that type is in the file.
 *   @doc                 (rarely) a node that is the doc comment; normally the descriptor's doc rule finds it.
 *   @call / @call.name   a call node and the node of the called name; @call.receiver what stands before it.
 *   @type                a type reference: the node of the name; @type.receiver its qualifier.
 *   @inherit, @conform   names in inheritance / conformance / implements clauses; @extend the type a Swift extension or Rust impl extends.
 *   @read                a name used as a value where it matters (function passed as a callback); use sparingly.
 *   @import              an import statement; with @import.source, @import.name (repeatable), @import.local, @import.alias.
 *   @package             node whose text is the declared package / namespace.
 *   @section             (documents) a section node; @section.title its heading.
 */
import type { ParsedFile, SymbolKind, Visibility } from '../model/symbol.ts';

export type DocRule = 'comment-before' | 'docstring-inside' | 'none';

/** What a line scanner finds; the caller adds the language and the line count. */
export type ScannedContent = Omit<ParsedFile, 'language' | 'lineCount'>;

export interface LanguageDescriptor {
  /** Lower-case id shown to users and accepted in `lang:` filters: 'go', 'typescript', 'csharp', 'cpp'. */
  readonly id: string;
  /** For people: 'Go', 'C#'. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly extensions: readonly string[];
  /** Exact base names: 'Dockerfile', 'Makefile', 'Rakefile'. */
  readonly fileNames: readonly string[];
  /** Words in a `#!` line: 'bash', 'python3'. */
  readonly interpreters: readonly string[];
  readonly family: 'code' | 'documentation' | 'data';
  /** Grammar file without '.wasm' (dist/grammars/<grammar>.wasm, copied by the build from the npm packages); null: no grammar, text rules only. */
  readonly grammar: string | null;
  /** Joins scope names: '.', '::', '#'. */
  readonly separator: string;
  readonly lineComment: string;
  readonly blockComment: readonly [string, string] | null;
  readonly doc: DocRule;
  /** Node types that are comments. */
  readonly commentNodes: readonly string[];
  /** Node types that may stand between a doc comment and its definition, or wrap it (decorators, attributes, export statements). */
  readonly wrapperNodes: readonly string[];
  /** Node types or fields that begin a definition's body; the signature ends before them. */
  readonly bodyNodes: readonly string[];
  readonly visibilityOf?: (declaration: string, name: string, kind: SymbolKind) => Visibility;
  /** Corrects a kind where the grammar cannot tell (a function inside a class is a method, an all-capitals variable a constant). */
  readonly kindOf?: (kind: SymbolKind, name: string, parentKind: SymbolKind | null, declaration: string) => SymbolKind;
  /** Documents and data without a grammar: reads the content line by line. Lines are those between '\n' (a final '\r' is dropped). */
  readonly scan?: (lines: readonly string[]) => ScannedContent;
  /** Query file, where it is another language's ('typescript' for the script part of a Vue file). */
  readonly query?: string;
  /** What the grammar gets to see: the content with everything foreign replaced by spaces, so that places stay (script part of a Vue file). */
  readonly mask?: (text: string) => string;
}
