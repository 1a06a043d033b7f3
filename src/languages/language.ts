/**
 * A language is data: a descriptor (this type) plus a query file (<id>.scm) and a fixture with a reviewed snapshot
 * (fixture/), all in the language's folder. extract.ts turns the query's matches into a ParsedFile; no language has a
 * tree walk of its own beyond the small hooks below. `names`, `imports` and `strings` are what the graph asks.
 *
 * One pattern = one definition, reference or import. Captures that extract.ts understands:
 *   @definition.<kind> the node of a definition (kind: a SymbolKind). Its pattern also captures @name the name (a node
 *   whose text is the name). Required; several in one match make several definitions. @body (optional) where the body
 *   begins; the signature ends before it. Otherwise the node's field `body` or a child of a type in `bodyNodes` is
 *   taken. A body that stands behind the node (Dart) belongs to the definition. @receiver (optional) the type that a
 *   method belongs to when it stands outside of it (Go receivers, Lua `M.f`, C++ `A::f`, Kotlin extension functions).
 *   It becomes the parent part of the qualified name, and the parent where that type stands earlier in the file. White
 *   space, pointers and type arguments are stripped. @scope, @scope.name a node that gives its inner definitions a
 *   parent name without being a definition itself. Containment decides. Without a name (Ruby `class << self`) it only
 *   bounds visibility markers. @doc a node that is the doc of the definition it stands in (outside its children), else
 *   of the next one; for languages whose docs are not comments; @doc.inside where it never means the next one (Elixir
 *   `@moduledoc`). Comments and docstrings are found by the descriptor's `doc` rule without it. @visibility.<word> a
 *   marker (`private:` in C++, `private` in Ruby): what follows directly in the same definition gets that visibility.
 *   @call the node of the called name; @call.receiver what stands before it. (@call.name is the same as @call; do not
 *   capture the whole call: every capture costs.) @type a type reference: the node of the name; @type.receiver its
 *   qualifier. @inherit, @conform names in inheritance / conformance / implements clauses; @extend the type that a
 *   Swift extension or Rust impl extends; `.receiver` as above. @read a name used as a value where it matters (function
 *   passed as a callback); use sparingly, or with `knownReads`. @import an import statement. Where the descriptor has
 *   `readImports`, it gets the statement's text and that is all. Otherwise @import.source, @import.name (repeatable),
 *   @import.local (belongs to the name before it), @import.alias; in the same pattern or in patterns of their own,
 *   joined by containment. @declared a name in a declaration about something that is defined elsewhere (Elixir
 *   `@spec`): not a reference. @package node whose text is the declared package / namespace. @section, @section.title
 *   (documents) a section node and its heading; sections nest by containment.
 *
 * Where two patterns give the same @name node, the one that comes first in the query file wins (write the special
 * before the general). Names equal in kind, receiver and place count once. Variables, constants and fields inside a
 * function or method are dropped as local. Avoid `#match?`/`#eq?` on patterns that match often: they cut text through
 * wasm; use `keepReference` or `kindOf` instead. Avoid patterns with a wildcard root. `<id>.scm` may be shared through
 * `query`. The extractor itself adds patterns for comments and attributes.
 */

import type {
  ImportRecord,
  ParsedFile,
  ReferenceKind,
  SymbolKind,
  SymbolRecord,
  Visibility,
} from '../model/records/symbol.ts';
import type { NameRules } from './name-rules.ts';
import type { PathConventions } from './path-conventions.ts';
import type { ImportRules } from './runtime/imports/source-tree.ts';
import type { StringRules } from './string-rules.ts';
import type { TestRules } from './test-rules.ts';

/**
 * What comments and strings look like, without a grammar (memory/mining/comment-places.ts). Each form is named for its
 * mark or origin: C, `#`, `--`, `<!-- -->`.
 */
export type CommentForm =
  | 'c'
  | 'script'
  | 'python'
  | 'hash'
  | 'hash-and-c'
  | 'dashes'
  | 'markup'
  | 'markup-and-code'
  | 'markup-and-script';

export type DocRule = 'comment-before' | 'docstring-inside' | 'none';

/** The result of a line scanner; the caller adds the language and the line count. */
export type ScannedContent = Omit<ParsedFile, 'language' | 'lineCount'>;

export interface LanguageDescriptor {
  /** Lower-case id in answers and in `lang:` filters: 'go', 'typescript', 'csharp', 'cpp'. */
  readonly id: string;
  /** The language whose filter also selects this one: `lang:typescript` includes TSX. */
  readonly variantOf?: string;
  /** The name in text for people: 'Go', 'C#'. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** With the dot, lower case: '.go'. */
  readonly extensions: readonly string[];
  /** Exact file names: 'Dockerfile', 'Makefile', 'Rakefile'. */
  readonly fileNames: readonly string[];
  /** Path conventions of tests, generated files and entry files. */
  readonly paths?: PathConventions;
  /** Interpreters in a `#!` line: 'bash', 'python3'. */
  readonly interpreters: readonly string[];
  readonly family: 'code' | 'documentation' | 'data';
  /** The language describes calls over a network: services with rpcs, or a schema with operations. */
  readonly wire?: 'services' | 'operations';
  /** Absent for a language without recognisable comments. */
  readonly comments?: CommentForm;
  /** Imports of the standard library: they tell nothing about chosen libraries. */
  readonly standardLibrary?: RegExp;
  /**
   * Grammar file without '.wasm' (dist/grammars/<grammar>.wasm, copied by the build from the npm packages); null: no
   * grammar, text rules only.
   */
  readonly grammar: string | null;
  /**
   * A dialect whose files another language's grammar and query read better: a pattern that recognises them, and the id
   * of that language.
   */
  readonly dialect?: { readonly mark: RegExp; readonly id: string };
  /** Joins scope names: '.', '::', '#'. */
  readonly separator: string;
  readonly lineComment: string;
  readonly blockComment: readonly [string, string] | null;
  readonly doc: DocRule;
  /** The beginning of comments that document the enclosing symbol, not the following one: Rust `//!`. */
  readonly innerDoc?: string;
  /** Node types of comments. */
  readonly commentNodes: readonly string[];
  /**
   * Node types between a definition and its doc comment (decorators, attributes). They are not part of the signature.
   */
  readonly attributeNodes?: readonly string[];
  /**
   * Node types that wrap a definition as its direct parent (export statements, `const` declarations, decorated
   * definitions, templates).
   */
  readonly wrapperNodes: readonly string[];
  /** Node types of bodies that are not in the field `body`; the signature ends before them. */
  readonly bodyNodes: readonly string[];
  readonly visibilityOf?: (
    declaration: string,
    name: string,
    kind: SymbolKind,
    parentKind: SymbolKind | null,
  ) => Visibility;
  /**
   * Corrects a kind that the grammar cannot tell (a function inside of a class is a method, an all-capitals variable a
   * constant); null drops the definition.
   */
  readonly kindOf?: (
    kind: SymbolKind,
    name: string,
    parentKind: SymbolKind | null,
    declaration: string,
  ) => SymbolKind | null;
  /**
   * Corrects a name: strips sigils, joins `operator ==`. Default: folds white space and drops surrounding quotes and
   * backticks.
   */
  readonly nameOf?: (raw: string) => string;
  /** The receiver inside of a qualified @name (`A::B` of `A::B::f`), '' for none; for grammars that nest qualifiers. */
  readonly receiverOf?: (raw: string) => string;
  /** Reads the imports of one @import node from its text, for languages where that is easier than a query. */
  readonly readImports?: (statement: string) => readonly Omit<ImportRecord, 'line'>[];
  /**
   * False drops a reference: keywords and builtins that the grammar reads like calls. `after` is the text after the
   * name.
   */
  readonly keepReference?: (name: string, receiver: string, kind: ReferenceKind, after: () => string) => boolean;
  /**
   * Names consist of letters, digits, `_`, `$` and non-ASCII characters: the extractor finds their ends in the text and
   * saves one call into wasm for each.
   */
  readonly plainNames?: boolean;
  /** Calls are also searched in bare tokens (the arguments of Rust macros), where the text tells the receiver. */
  readonly callsInTokens?: boolean;
  /**
   * @read is kept only if the name is a function or type of the same file, or an import: most arguments are local
   * variables.
   */
  readonly knownReads?: boolean;
  /**
   * Builds a qualified name where one separator is not enough: Ruby `A::B#m` and `A::B.s`. `outer` and `receiver` are
   * '' for none.
   */
  readonly qualify?: (outer: string, receiver: string, name: string, kind: SymbolKind) => string;
  /**
   * A single token may contain a whole path (Elixir `Ecto.Query`): its last segment is the name, the rest the receiver.
   */
  readonly dottedNames?: boolean;
  /**
   * A definition right after another of the same name continues it: Haskell equations, Elixir clauses. Both arguments
   * are signatures.
   */
  readonly continues?: (previous: string, current: string) => boolean;
  /**
   * Kinds that visibility markers apply to; absent: all. Markers never apply to a definition that names its receiver.
   */
  readonly markedKinds?: readonly SymbolKind[];
  /** Functions begin with a type instead of a keyword: recovery of a broken tree searches for such heads. */
  readonly typedHeads?: boolean;
  /**
   * Corrects the symbols of a file where no query can (`private :name`, docs after a field). The result has the same
   * length and order.
   */
  readonly refine?: (symbols: readonly SymbolRecord[], text: string) => readonly SymbolRecord[];
  /** Reads documents and data without a grammar. `lines` are split at '\n' and have no final '\r'. */
  readonly scan?: (lines: readonly string[]) => ScannedContent;
  /** Query files that replace the language's own ('typescript' for the script part of a Vue file). */
  readonly query?: string | readonly string[];
  /** Signatures are cut from the unmasked text. */
  readonly plainSignatures?: boolean;
  /**
   * Returns the text that the grammar reads: foreign parts are replaced by spaces, so that offsets stay valid (script
   * part of a Vue file).
   */
  readonly mask?: (text: string) => string;
  /** Name rules; without them the graph knows only the imports of a file. */
  readonly names?: NameRules;
  /** Import rules; without them every import is external. */
  readonly imports?: ImportRules;
  /** How test files differ from test helpers, and how tests are run. */
  readonly tests?: TestRules;
  /** String forms besides plain quotes, and interpolation. */
  readonly strings?: StringRules;
}
