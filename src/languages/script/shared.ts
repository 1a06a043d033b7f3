import type { SymbolKind, Visibility } from '../../model/records/symbol.ts';
import { scriptImports } from './imports.ts';
import { scriptPaths } from './paths.ts';
import { readScriptImports } from './read-imports.ts';
import { scriptTests } from './test-runner.ts';

const BUILTINS = new Set(
  (
    'require T K V U Promise Record Partial Required Readonly Pick Omit Array Map Set Error String Number Boolean ' +
    'Object Symbol Date RegExp'
  ).split(' '),
);

/** `require('./make')(…)` calls the exported function. */
const CALLED_AGAIN = /^\(\s*["'][^"'\n]+["']\s*\)\s*\(/;

/** The fields of a descriptor that all script languages share. */
export const shared = {
  fileNames: [],
  paths: scriptPaths,
  interpreters: [],
  family: 'code',
  comments: 'script',
  standardLibrary:
    /^(?:node:.*|assert|buffer|child_process|crypto|events|fs|fs\/promises|http|https|net|os|path|stream|url|util)$/,
  separator: '.',
  plainNames: true,
  knownReads: true,
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  attributeNodes: ['decorator'],
  wrapperNodes: [
    'export_statement',
    'ambient_declaration',
    'lexical_declaration',
    'variable_declaration',
    'expression_statement',
  ],
  bodyNodes: [],
  visibilityOf: scriptVisibility,
  kindOf: scriptKind,
  readImports: readScriptImports,
  qualify: qualifyAssigned,
  keepReference: (name: string, receiver: string, kind: string, after: () => string) =>
    receiver !== '' || !BUILTINS.has(name) || (name === 'require' && kind === 'call' && CALLED_AGAIN.test(after())),
  imports: scriptImports,
  tests: scriptTests,
  strings: { interpolation: /\$\{/g, interpolatingQuote: '`' },
} as const;

function scriptVisibility(
  declaration: string,
  name: string,
  kind: SymbolKind,
  parentKind: SymbolKind | null,
): Visibility {
  if (name.startsWith('#') || /\bprivate\s/.test(head(declaration, name))) return 'private';
  if (/\bprotected\s/.test(head(declaration, name))) return 'protected';
  if (parentKind !== null && parentKind !== 'module') return 'public';
  return /^export\b|^(?:module\.)?exports\b/.test(declaration) || kind === 'method' ? 'public' : 'internal';
}

function head(declaration: string, name: string): string {
  const at = declaration.indexOf(name);
  return at < 0 ? '' : declaration.slice(0, at);
}

function scriptKind(kind: SymbolKind, name: string, parentKind: SymbolKind | null, declaration: string): SymbolKind {
  if (kind === 'function' && (parentKind === 'class' || /^[\w.$]+\.prototype\./.test(declaration))) return 'method';
  if (kind !== 'variable') return kind;
  if (parentKind === 'enum') return 'constant';
  // A `const` in capitals, or capitalised at top level, is a constant; other bindings are variables.
  return /^[A-Z_$][A-Z0-9_$]*$/.test(name) && /\bconst\b|\breadonly\b/.test(declaration) ? 'constant' : kind;
}

/** `exports.f`, `module.exports.f` and `this.f` are qualified by the enclosing scope; `A.prototype.f` belongs to A. */
function qualifyAssigned(outer: string, receiver: string, name: string, kind: SymbolKind): string {
  // A property that a constructor parameter declares belongs to the class.
  if (kind === 'property') return [outer.replace(/\.constructor$/, ''), name].filter(Boolean).join('.');
  const owner = receiver
    .replace(/^(?:module\.exports|exports|this|self|window|globalThis|global)(?:\.|$)/, '')
    .replace(/(?:^|\.)prototype$/, '');
  return [outer, owner, name].filter(Boolean).join('.');
}
