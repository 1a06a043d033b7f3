import type { LanguageDescriptor } from '../language.ts';
import { zigImports } from './imports.ts';
import { zigNames } from './names.ts';
import { zigPaths } from './paths.ts';

export const zig: LanguageDescriptor = {
  id: 'zig',
  name: 'Zig',
  aliases: [],
  extensions: ['.zig', '.zon'],
  fileNames: [],
  paths: zigPaths,
  interpreters: [],
  family: 'code',
  comments: 'c',
  grammar: 'zig',
  separator: '.',
  plainNames: true,
  lineComment: '//',
  blockComment: null,
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: [],
  bodyNodes: ['block'],
  mask: maskZig,
  plainSignatures: true,
  nameOf: (raw) => (/^[\w@]/.test(raw) ? raw.replace(/^@"|"$/g, '') : ''),
  visibilityOf: (declaration, _name, kind, parentKind) =>
    /^(?:pub|export)\b/.test(declaration) || kind === 'field' || (kind === 'constant' && parentKind === 'enum')
      ? 'public'
      : 'private',
  kindOf: (kind, _name, parentKind, declaration) => {
    if (kind === 'constant' && /=\s*@import\(/.test(declaration)) return null;
    if (kind === 'constant' && /^(?:pub\s+)?(?:export\s+|threadlocal\s+)*var\b/.test(declaration)) return 'variable';
    // A function inside of a function belongs to the type that the outer one returns.
    return kind === 'function' && parentKind !== null ? 'method' : kind;
  },
  names: zigNames,
  imports: zigImports,
  strings: { characters: true, quotedNames: true },
};

/**
 * Masks syntax that the grammar does not know or reads as an error, at equal length: `async` and `await` are plain
 * names again, clobbers of `asm` are a struct, a container may be empty.
 */
function maskZig(text: string): string {
  let masked = text.replace(/\b(struct|opaque|enum|union) \{\}/g, '$1{_}').replace(/\b(asyn|awai)[ct]\b/g, '$1_');
  if (text.includes('asm ')) masked = masked.replace(/(?<=:\s*)\.\{[\w\s.,=@"]*\}(?=\s*\))/g, emptyString);
  return masked;
}

function emptyString(struct: string): string {
  return `""${struct.slice(2).replace(/[^\r\n]/g, ' ')}`;
}
