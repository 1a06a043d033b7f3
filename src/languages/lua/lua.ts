import type { SymbolRecord } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { luaImports } from './imports.ts';
import { luaNames } from './names.ts';
import { luaPaths } from './paths.ts';

/** The initial value of a table that will hold methods. */
const TABLE = /=\s*(?:\{\s*\}|setmetatable\b|class\b|\w+[.:](?:extend|new|subclass|class)\b)/;

export const lua: LanguageDescriptor = {
  id: 'lua',
  name: 'Lua',
  aliases: ['luau'],
  extensions: ['.lua', '.luau', '.rockspec'],
  fileNames: ['.luacheckrc'],
  paths: luaPaths,
  interpreters: ['lua', 'luajit'],
  family: 'code',
  comments: 'dashes',
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
    if (name === 'M' || name === '_M') return 'module';
    return /^[A-Z]/.test(name) && TABLE.test(declaration) ? 'class' : kind;
  },
  keepReference: (name, receiver) => receiver !== '' || name !== 'require',
  refine,
  names: luaNames,
  imports: luaImports,
};

/**
 * Reads LuaLS annotations about tables: `---@class Name: Base`, `---@enum Name`, `---@alias Name …`. A table that the
 * file returns is its module.
 */
function refine(symbols: readonly SymbolRecord[], text: string): readonly SymbolRecord[] {
  const returned = /\breturn\s+(\w+)\s*;?\s*$/.exec(text.slice(-200))?.[1];
  const module = symbols.findIndex(
    ({ name, kind, parent, signature }) =>
      name === returned && parent < 0 && kind === 'variable' && /=\s*(?:\{|setmetatable\b)/.test(signature),
  );
  return symbols.map((symbol, index) => {
    const mark = /^@(class|enum)\s+(?:\(\w+\)\s*)?([\w.]+)/m.exec(symbol.doc);
    const annotated = symbol.kind === 'variable' && mark ? (mark[1] as 'class' | 'enum') : symbol.kind;
    const kind = index === module && annotated === 'variable' ? 'module' : annotated;
    const isMember =
      module >= 0 && index > module && symbol.parent < 0 && symbol.qualifiedName.startsWith(`${returned}.`);
    const parent = isMember ? module : symbol.parent;
    return { ...symbol, kind, parent, signature: symbol.signature.replace(/\s+end$/, '') };
  });
}
