import type { ImportRecord, SymbolKind, SymbolRecord, Visibility } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { readPythonImports } from '../python/read-imports.ts';
import { maskRust } from '../rust/mask.ts';
import { readRustUse } from '../rust/use.ts';

/** What the language itself brings is nobody's definition. */
const GO_PREDECLARED = words(
  'bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr any',
  'comparable append cap copy delete len make new panic print println recover T K V',
);
const RUST_PRELUDE = words(
  'Self T U F E K V Ok Err Some None Option Result String Vec Box Fn FnMut FnOnce Send Sync Sized Clone Copy',
);
const PYTHON_BUILTINS = words(
  'bool bytes complex dict float frozenset int list object set str tuple type None super len range isinstance issubclass print repr iter next',
  'getattr setattr hasattr enumerate zip sorted reversed min max sum any all abs id hash open property staticmethod classmethod',
);

const go: LanguageDescriptor = {
  id: 'go',
  name: 'Go',
  aliases: ['golang'],
  extensions: ['.go'],
  fileNames: [],
  interpreters: [],
  family: 'code',
  grammar: 'go',
  separator: '.',
  plainNames: true,
  knownReads: true,
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: ['type_declaration', 'const_declaration', 'var_declaration', 'var_spec_list'],
  bodyNodes: [],
  visibilityOf: (_declaration, name) => (/^\p{Lu}/u.test(name) ? 'public' : 'internal'),
  readImports: readGoImports,
  refine: (symbols) => symbols.map(ungrouped),
  keepReference: (name, receiver) => receiver !== '' || !GO_PREDECLARED.has(name),
};

const rust: LanguageDescriptor = {
  id: 'rust',
  name: 'Rust',
  aliases: ['rs'],
  extensions: ['.rs'],
  fileNames: [],
  interpreters: ['rust-script'],
  family: 'code',
  grammar: 'rust',
  separator: '::',
  plainNames: true,
  callsInTokens: true,
  knownReads: true,
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  innerDoc: '//!',
  commentNodes: ['line_comment', 'block_comment'],
  attributeNodes: ['attribute_item'],
  wrapperNodes: [],
  bodyNodes: [],
  visibilityOf: rustVisibility,
  kindOf: (kind, _name, parentKind) =>
    kind === 'function' && (parentKind === 'extension' || parentKind === 'trait') ? 'method' : kind,
  readImports: readRustUse,
  keepReference: (name, receiver) => receiver !== '' || !RUST_PRELUDE.has(name),
  refine: publishTraitMethods,
  mask: maskRust,
};

const python: LanguageDescriptor = {
  id: 'python',
  name: 'Python',
  aliases: ['py', 'python3'],
  extensions: ['.py', '.pyi', '.pyw'],
  fileNames: ['SConstruct', 'SConscript', 'wscript'],
  interpreters: ['python', 'python2', 'python3', 'pypy', 'uv'],
  family: 'code',
  grammar: 'python',
  separator: '.',
  plainNames: true,
  knownReads: true,
  lineComment: '#',
  blockComment: null,
  doc: 'docstring-inside',
  commentNodes: ['comment'],
  attributeNodes: ['decorator'],
  wrapperNodes: ['decorated_definition', 'type_alias_statement', 'expression_statement'],
  bodyNodes: [],
  visibilityOf: (_declaration, name) =>
    /^__\w+__$/.test(name)
      ? 'public'
      : name.startsWith('__')
        ? 'private'
        : name.startsWith('_')
          ? 'internal'
          : 'public',
  kindOf: pythonKind,
  readImports: readPythonImports,
  keepReference: (name, receiver) => receiver !== '' || !PYTHON_BUILTINS.has(name),
};

export const GO_RUST_PYTHON: readonly LanguageDescriptor[] = [go, rust, python];

function words(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}

/** `const ( X = 1`: the only one of a group in parentheses begins where the group does. */
function ungrouped(symbol: SymbolRecord): SymbolRecord {
  const signature = symbol.signature.replace(/^(var|const|type) \( /, '$1 ');
  return signature === symbol.signature ? symbol : { ...symbol, signature };
}

/** What implements a trait is as visible as the trait. */
function publishTraitMethods(symbols: readonly SymbolRecord[]): SymbolRecord[] {
  return symbols.map((symbol) => {
    const parent = symbols[symbol.parent];
    const implementsTrait = parent?.kind === 'extension' && / for /.test(parent.signature);
    return implementsTrait && symbol.visibility === 'private' ? { ...symbol, visibility: 'public' } : symbol;
  });
}

function rustVisibility(
  declaration: string,
  _name: string,
  kind: SymbolKind,
  parentKind: SymbolKind | null,
): Visibility {
  if (/^pub\s*\(/.test(declaration)) return 'internal';
  if (/^pub\b/.test(declaration)) return 'public';
  // Items of traits, variants of enums and their fields are as visible as what they belong to; a macro's reach is decided by attributes.
  if (parentKind === 'trait' || parentKind === 'enum' || kind === 'macro' || kind === 'extension') return 'public';
  if (kind === 'field' && parentKind === 'constant') return 'public';
  return 'private';
}

function pythonKind(kind: SymbolKind, name: string, parentKind: SymbolKind | null): SymbolKind {
  if (kind === 'function' && parentKind === 'class') return 'method';
  if (kind === 'variable') {
    if (/^_*[A-Z][A-Z0-9_]*$/.test(name)) return 'constant';
    if (parentKind === 'class') return 'field';
  }
  return kind;
}

/** `import x "path"`, alone or in a group. Without an alias Go's local name is that of the package, by custom the path's last part. */
function readGoImports(statement: string): Omit<ImportRecord, 'line'>[] {
  const match = /^(?:([\w.]+)\s+)?["`]([^"`]+)["`]/.exec(statement.trim());
  if (!match) return [];
  const [, alias, source] = match;
  if (alias === '.') return [{ source: source!, names: [{ name: '*', local: '*' }], alias: '' }];
  if (alias === '_') return [{ source: source!, names: [], alias: '' }];
  const parts = source!.split('/');
  const last = parts[parts.length - 1]!;
  const base = /^v\d+$/.test(last) && parts.length > 1 ? parts[parts.length - 2]! : last;
  return [{ source: source!, names: [], alias: alias ?? base.replace(/\.v\d+$/, '').replace(/^go-|-go$/g, '') }];
}
