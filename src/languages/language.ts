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
 * What comments and strings look like, told roughly and without a grammar (memory/mining/comment-places.ts). The forms
 * are named for whose they are: slashes of C, `#`, `--`, `<!-- -->`.
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
  /** Lower-case id shown to users and accepted in `lang:` filters: 'go', 'typescript', 'csharp', 'cpp'. */
  readonly id: string;
  /** The language that people mean by this one, too: who filters by TypeScript wants TSX. */
  readonly variantOf?: string;
  /** For people: 'Go', 'C#'. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** With the dot, lower case: '.go'. */
  readonly extensions: readonly string[];
  /** Exact base names: 'Dockerfile', 'Makefile', 'Rakefile'. */
  readonly fileNames: readonly string[];
  /** How its tests, generated and entry files are called. */
  readonly paths?: PathConventions;
  /** Words in a `#!` line: 'bash', 'python3'. */
  readonly interpreters: readonly string[];
  readonly family: 'code' | 'documentation' | 'data';
  /** The language describes calls between programs: services with their rpcs, or a schema with operations. */
  readonly wire?: 'services' | 'operations';
  /** Absent: the language has no comments that can be recognised. */
  readonly comments?: CommentForm;
  /** Imports of what comes with the language: they are no choice of a library. */
  readonly standardLibrary?: RegExp;
  /**
   * Grammar file without '.wasm' (dist/grammars/<grammar>.wasm, copied by the build from the npm packages); null: no
   * grammar, text rules only.
   */
  readonly grammar: string | null;
  /** Content that another language's grammar and query read better: what marks it, and that language. */
  readonly dialect?: { readonly mark: RegExp; readonly id: string };
  /** Joins scope names: '.', '::', '#'. */
  readonly separator: string;
  readonly lineComment: string;
  readonly blockComment: readonly [string, string] | null;
  readonly doc: DocRule;
  /** Comments that document what they stand in and not what follows: Rust `//!`. */
  readonly innerDoc?: string;
  /** Node types that are comments. */
  readonly commentNodes: readonly string[];
  /**
   * Node types that stand before a definition, between it and its doc comment: decorators, attributes. Not part of the
   * signature.
   */
  readonly attributeNodes?: readonly string[];
  /**
   * Node types that wrap a definition as its direct parent (export statements, `const` declarations, decorated
   * definitions, templates).
   */
  readonly wrapperNodes: readonly string[];
  /** Node types that begin a definition's body where it is not in the field `body`; the signature ends before them. */
  readonly bodyNodes: readonly string[];
  readonly visibilityOf?: (
    declaration: string,
    name: string,
    kind: SymbolKind,
    parentKind: SymbolKind | null,
  ) => Visibility;
  /**
   * Corrects a kind where the grammar cannot tell (a function inside a class is a method, an all-capitals variable a
   * constant); null: none.
   */
  readonly kindOf?: (
    kind: SymbolKind,
    name: string,
    parentKind: SymbolKind | null,
    declaration: string,
  ) => SymbolKind | null;
  /**
   * Corrects a name: strips sigils, joins `operator ==`. Default: white space folded, surrounding quotes and backticks
   * dropped.
   */
  readonly nameOf?: (raw: string) => string;
  /**
   * The receiver within a qualified @name (`A::B` of `A::B::f`), '' where there is none; for grammars that nest
   * qualifiers.
   */
  readonly receiverOf?: (raw: string) => string;
  /** Imports of one @import node, for languages whose statements are easier to read as text. */
  readonly readImports?: (statement: string) => readonly Omit<ImportRecord, 'line'>[];
  /**
   * False drops a reference: keywords and builtins that the grammar cannot tell apart from calls. `after` is the text
   * behind the name.
   */
  readonly keepReference?: (name: string, receiver: string, kind: ReferenceKind, after: () => string) => boolean;
  /**
   * Referenced names are letters, digits, `_`, `$` and what is beyond ASCII: their ends are found in the text, which
   * saves a trip into wasm each.
   */
  readonly plainNames?: boolean;
  /**
   * Calls are also found among bare tokens (the arguments of Rust's macros), where only the text tells what they are
   * called on.
   */
  readonly callsInTokens?: boolean;
  /**
   * @read is kept only where the name is a function or type of the same file, or imported: most arguments are mere
   * variables.
   */
  readonly knownReads?: boolean;
  /**
   * Qualified name where one separator does not do: Ruby `A::B#m` and `A::B.s`. `outer` and `receiver` are '' where
   * there is none.
   */
  readonly qualify?: (outer: string, receiver: string, name: string, kind: SymbolKind) => string;
  /**
   * One token may hold a whole path (Elixir `Ecto.Query`): its last segment is the name, the rest belongs to the
   * receiver.
   */
  readonly dottedNames?: boolean;
  /**
   * True where a definition of the same name right after another continues it: Haskell equations, Elixir clauses. Both
   * are signatures.
   */
  readonly continues?: (previous: string, current: string) => boolean;
  /** Kinds that visibility markers apply to; all where it is not given. Never to what names its receiver itself. */
  readonly markedKinds?: readonly SymbolKind[];
  /** Functions begin with a type and not with a word of the language: so those of a broken tree are looked for. */
  readonly typedHeads?: boolean;
  /**
   * Last word on the symbols of a file, for what no query can tell (`private :name`, docs behind a field). Same length
   * and order.
   */
  readonly refine?: (symbols: readonly SymbolRecord[], text: string) => readonly SymbolRecord[];
  /**
   * Documents and data without a grammar: reads the content line by line. Lines are those between '\n' (a final '\r' is
   * dropped).
   */
  readonly scan?: (lines: readonly string[]) => ScannedContent;
  /** Query files, where they are not the language's own ('typescript' for the script part of a Vue file). */
  readonly query?: string | readonly string[];
  /** Signatures are cut from the content as it is, not as the mask leaves it. */
  readonly plainSignatures?: boolean;
  /**
   * What the grammar gets to see: the content with everything foreign replaced by spaces, so that places stay (script
   * part of a Vue file).
   */
  readonly mask?: (text: string) => string;
  /** How names are resolved; without it a file is known by its imports only. */
  readonly names?: NameRules;
  /** Which files an import means; without it all imports lead outside. */
  readonly imports?: ImportRules;
  /** How its tests are distinguished from test helpers, and run. */
  readonly tests?: TestRules;
  /** Strings that are not between plain quotes, or take code in. */
  readonly strings?: StringRules;
}
