import type { ImportRecord, SymbolRecord } from '../../model/records/symbol.ts';
import { pattern } from '../../model/text/pattern.ts';
import type { LanguageDescriptor } from '../language.ts';
import { nameRules } from '../name-rules.ts';
import { readAssigned } from '../runtime/reading/assigned.ts';
import { haskellImports } from './imports.ts';
import { haskellPaths } from './paths.ts';

/** Built-in types: no file of a project defines them. */
const BUILTINS = new Set('Int Integer Bool Char String Double Float Maybe Either IO Word Ordering'.split(' '));

export const haskell: LanguageDescriptor = {
  id: 'haskell',
  name: 'Haskell',
  aliases: ['hs'],
  extensions: ['.hs', '.hsc', '.hs-boot'],
  fileNames: [],
  paths: haskellPaths,
  interpreters: ['runhaskell', 'runghc', 'stack'],
  family: 'code',
  comments: 'dashes',
  grammar: 'haskell',
  separator: '.',
  lineComment: '--',
  blockComment: ['{-', '-}'],
  doc: 'comment-before',
  commentNodes: ['comment', 'haddock'],
  wrapperNodes: [],
  bodyNodes: ['data_constructors', 'gadt_constructors', 'newtype_constructor', 'equations'],
  nameOf: (raw) => raw.replace(/\s+/g, ' '),
  // A type signature and the equations after it are one definition.
  continues: (_previous, current) => !/^(?:instance|data|newtype|type|class)\b/.test(current),
  readImports,
  refine,
  // A name of one or two letters is a pattern variable.
  keepReference: (name, receiver, kind) => {
    if (receiver !== '') return true;
    return kind === 'type' ? !BUILTINS.has(name) : name.length > 2 || /^[A-Z]/.test(name);
  },
  names: nameRules({
    family: 'haskell',
    scopedImports: true,
    declares: 'assignment',
    readDeclared: readAssigned,
    main: 'main',
  }),
  imports: haskellImports,
  strings: { characters: true, quotedNames: true },
};

const IMPORT = pattern()`
  ^import (?:\{-# SOURCE #-\} )?(?:safe )?(qualified )?(?:"[^"]*" )?([\w.']+)
  ( qualified)?(?: as ([\w.']+))?( hiding)? ?(?:\((.*)\))?
`;

/** `import qualified Data.Map as M`, `import Data.Map qualified as M`, `import Data.List (sort, nub)`. */
function readImports(statement: string): Omit<ImportRecord, 'line'>[] {
  const text = statement.replace(/\s+/g, ' ');
  const match = IMPORT.exec(text);
  if (!match) return [];
  const source = match[2]!;
  const isQualified = Boolean(match[1] || match[3]);
  const listed = match[5] ? '' : (match[6] ?? '').replace(/\([^()]*\)/g, '');
  const names = listed
    .split(',')
    .map((name) => name.replace(/^\s*(?:type|pattern)\s/, '').trim())
    .filter((name) => name !== '')
    .map((name) => ({ name, local: name }));
  if (!isQualified && names.length === 0) names.push({ name: '*', local: '*' });
  return [{ source, alias: match[4] ?? (isQualified ? source : ''), names }];
}

/**
 * Sets visibility from the export list, and reads `-- ^` comments, which document the field or constructor before them.
 */
function refine(symbols: readonly SymbolRecord[], text: string): readonly SymbolRecord[] {
  const exported = exportsOf(text);
  const hasTrailing = text.includes('-- ^');
  const lines = hasTrailing ? text.split('\n') : [];
  return symbols.map((symbol) => {
    const trailing = hasTrailing && !symbol.doc ? trailingDoc(lines, symbol) : '';
    // Section headings (`-- * Part`) and other remarks may precede the doc comment's own mark.
    const doc = (trailing || symbol.doc).replace(/^[\s\S]*\n(?=\| )/, '').replace(/^\|\s?/, '');
    const isTop = symbol.parent < 0 && symbol.kind !== 'extension';
    const isPrivate = exported !== null && isTop && !exported.has(symbol.name);
    if (doc === symbol.doc && !isPrivate) return symbol;
    return { ...symbol, doc, visibility: isPrivate ? 'private' : symbol.visibility };
  });
}

/** Names in the export list of the module; null where everything is exported. */
function exportsOf(text: string): ReadonlySet<string> | null {
  const header = /^module\s+([\w.']+)\s*\(/m.exec(text);
  if (!header) return null;
  let depth = 1;
  let end = header.index + header[0].length;
  const start = end;
  for (; end < text.length && depth > 0; end++) {
    if (text[end] === '(') depth++;
    else if (text[end] === ')') depth--;
  }
  const list = text
    .slice(start, end - 1)
    .replace(/--[^\n]*/g, '')
    .replace(/\{-[\s\S]*?-\}/g, '');
  // `module ThisModule` in the export list exports all definitions of the module.
  if ([...list.matchAll(/\bmodule\s+([\w.']+)/g)].some(([, name]) => name === header[1])) return null;
  return new Set(
    [...list.matchAll(/[\w']+(?:\.[\w']+)*|[!#$%&*+./<=>?@\\^|~:-]+/g)].map(
      ([name]) => name.slice(name.lastIndexOf('.') + 1) || name,
    ),
  );
}

function trailingDoc(lines: readonly string[], symbol: SymbolRecord): string {
  const own = /--\s*\^\s?(.*)$/.exec(lines[symbol.endLine - 1] ?? '');
  const next = /^\s*--\s*\^\s?(.*)$/.exec(lines[symbol.endLine] ?? '');
  const found = own ?? next;
  if (!found || (symbol.kind !== 'field' && symbol.kind !== 'constant' && !next)) return '';
  const doc = [found[1]!];
  for (let i = symbol.endLine + (own ? 0 : 1); i < lines.length; i++) {
    const more = /^\s*--(?!\s*[|^])\s?(.*)$/.exec(lines[i]!);
    if (!more) break;
    doc.push(more[1]!);
  }
  return doc.join('\n').trim();
}
