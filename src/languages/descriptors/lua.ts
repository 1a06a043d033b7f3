import type { SymbolRecord } from '../../model/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';

/** A table that is made to hold methods. */
const TABLE = /=\s*(?:\{\s*\}|setmetatable\b|class\b|\w+[.:](?:extend|new|subclass|class)\b)/;

export const lua: LanguageDescriptor = {
  id: 'lua',
  name: 'Lua',
  aliases: ['luau'],
  extensions: ['.lua', '.luau', '.rockspec'],
  fileNames: ['.luacheckrc'],
  interpreters: ['lua', 'luajit'],
  family: 'code',
  grammar: 'lua',
  separator: '.',
  plainNames: true,
  lineComment: '--',
  blockComment: ['--[[', ']]'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: [],
  bodyNodes: [],
  visibilityOf: (declaration, name) => (/^local\b/.test(declaration) || name.startsWith('_') ? 'private' : 'public'),
  kindOf: (kind, name, _parentKind, declaration) => {
    if (kind !== 'variable') return kind;
    if (name.startsWith('__') || /=\s*require\b/.test(declaration)) return null;
    if (/^[A-Z][A-Z0-9_]+$/.test(name)) return 'constant';
    if (name === 'M') return 'module';
    return /^[A-Z]/.test(name) && TABLE.test(declaration) ? 'class' : kind;
  },
  keepReference: (name, receiver) => receiver !== '' || name !== 'require',
  refine,
};

/** LuaLS annotations say what a table is: `---@class Name: Base`, `---@enum Name`, `---@alias Name …`. */
function refine(symbols: readonly SymbolRecord[]): readonly SymbolRecord[] {
  return symbols.map((symbol) => {
    const mark = /^@(class|enum)\s+(?:\(\w+\)\s*)?([\w.]+)/m.exec(symbol.doc);
    const kind = symbol.kind === 'variable' && mark ? (mark[1] as 'class' | 'enum') : symbol.kind;
    const signature = symbol.signature.replace(/\s+end$/, '');
    return kind === symbol.kind && signature === symbol.signature ? symbol : { ...symbol, kind, signature };
  });
}
