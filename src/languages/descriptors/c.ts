import type { SymbolKind, Visibility } from '../../model/symbol.ts';
import { maskMacros } from '../c-family/mask.ts';
import type { LanguageDescriptor } from '../language.ts';

export const C: LanguageDescriptor = {
  id: 'c',
  name: 'C',
  aliases: [],
  extensions: ['.c', '.h'],
  fileNames: [],
  interpreters: ['tcc'],
  family: 'code',
  grammar: 'c',
  separator: '.',
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: [],
  bodyNodes: [],
  mask: (text) => maskMacros(text, false),
  visibilityOf: (declaration) => (isStatic(declaration) ? 'private' : 'public'),
  kindOf: (kind, name, _parent, declaration) => (kind === 'variable' ? variableKind(name, declaration) : kind),
};

/** Of static linkage: visible in its own file only. */
function isStatic(declaration: string): boolean {
  return /^(?:[\w\s]*\s)?static\s/.test(declaration);
}

export function variableKind(name: string, declaration: string): SymbolKind {
  const head = declaration.split('=', 1)[0]!;
  if (/\bconstexpr\b|\bconstinit\b/.test(head)) return 'constant';
  // `const char *p` may change; `const int n` and `char *const p` may not.
  if (/^[^*]*\bconst\b[^*]*$/.test(head) || /\*\s*const\s/.test(head)) return 'constant';
  return /^[A-Z][A-Z0-9_]+$/.test(name) ? 'constant' : 'variable';
}

export function linkage(declaration: string): Visibility {
  return isStatic(declaration) ? 'private' : 'public';
}
