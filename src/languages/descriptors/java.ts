import type { SymbolKind, Visibility } from '../../model/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';

export const JAVA: LanguageDescriptor = {
  id: 'java',
  name: 'Java',
  aliases: [],
  extensions: ['.java'],
  fileNames: [],
  interpreters: [],
  family: 'code',
  grammar: 'java',
  separator: '.',
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['line_comment', 'block_comment'],
  attributeNodes: ['marker_annotation', 'annotation'],
  wrapperNodes: [],
  plainNames: true,
  bodyNodes: [],
  visibilityOf,
  // The commonest of java.lang, and type parameters: nothing in a project answers to them.
  // A type in lower case is the package before one.
  keepReference: (name, _receiver, kind) =>
    !/^(?:[A-Z]\d?|Override|String|Object|Integer|Long|Boolean|Double|Void)$/.test(name) &&
    (kind !== 'type' || !/^[a-z]/.test(name)),
  kindOf: (kind, _name, _parent, declaration) =>
    kind === 'field' && /\bstatic\b[^=(]*\bfinal\b|\bfinal\b[^=(]*\bstatic\b/.test(declaration) ? 'constant' : kind,
};

function visibilityOf(declaration: string, _name: string, kind: SymbolKind, parentKind: SymbolKind | null): Visibility {
  const word = /^(?:[^(={]*?\s)?(public|protected|private)\s/.exec(declaration)?.[1];
  if (word) return word as Visibility;
  // Members of an interface and constants of an enum are public without saying so.
  if (parentKind === 'interface' || (parentKind === 'enum' && kind === 'constant')) return 'public';
  return kind === 'module' ? 'public' : 'internal';
}
