import type { LanguageDescriptor } from '../language.ts';

export const zig: LanguageDescriptor = {
  id: 'zig',
  name: 'Zig',
  aliases: [],
  extensions: ['.zig', '.zon'],
  fileNames: [],
  interpreters: [],
  family: 'code',
  grammar: 'zig',
  separator: '.',
  plainNames: true,
  lineComment: '//',
  blockComment: null,
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: [],
  bodyNodes: ['block'],
  visibilityOf: (declaration, _name, kind, parentKind) =>
    /^(?:pub|export)\b/.test(declaration) || kind === 'field' || (kind === 'constant' && parentKind === 'enum')
      ? 'public'
      : 'private',
  kindOf: (kind, _name, parentKind, declaration) => {
    if (kind === 'constant' && /=\s*@import\(/.test(declaration)) return null;
    if (kind === 'constant' && /^(?:pub\s+)?(?:export\s+|threadlocal\s+)*var\b/.test(declaration)) return 'variable';
    // A function inside of a function belongs to the type that it returns.
    return kind === 'function' && parentKind !== null ? 'method' : kind;
  },
};
