import type { ImportRecord, SymbolKind, Visibility } from '../../model/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { readPythonImports } from './python-imports.ts';
import { readRustUse } from './rust-use.ts';

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
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: ['type_declaration', 'const_declaration', 'var_declaration', 'var_spec_list'],
  bodyNodes: [],
  visibilityOf: (_declaration, name) => (/^\p{Lu}/u.test(name) ? 'public' : 'internal'),
  readImports: readGoImports,
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
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['line_comment', 'block_comment'],
  attributeNodes: ['attribute_item'],
  wrapperNodes: [],
  bodyNodes: [],
  visibilityOf: rustVisibility,
  kindOf: (kind, _name, parentKind) =>
    kind === 'function' && (parentKind === 'extension' || parentKind === 'trait') ? 'method' : kind,
  readImports: readRustUse,
};

const python: LanguageDescriptor = {
  id: 'python',
  name: 'Python',
  aliases: ['py', 'python3'],
  extensions: ['.py', '.pyi', '.pyw', '.pyx', '.pxd'],
  fileNames: ['SConstruct', 'SConscript', 'wscript'],
  interpreters: ['python', 'python2', 'python3', 'pypy', 'uv'],
  family: 'code',
  grammar: 'python',
  separator: '.',
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
};

export const GO_RUST_PYTHON: readonly LanguageDescriptor[] = [go, rust, python];

function rustVisibility(
  declaration: string,
  _name: string,
  kind: SymbolKind,
  parentKind: SymbolKind | null,
): Visibility {
  if (/^pub\s*\(/.test(declaration)) return 'internal';
  if (/^pub\b/.test(declaration)) return 'public';
  // Items of traits and variants of enums are as visible as what they belong to; a macro's reach is decided by attributes.
  if (parentKind === 'trait' || parentKind === 'enum' || kind === 'macro' || kind === 'extension') return 'public';
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
