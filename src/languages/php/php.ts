import type { ImportRecord, SymbolKind, SymbolRecord, Visibility } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { phpImports } from './imports.ts';
import { phpNames } from './names.ts';
import { phpPaths } from './paths.ts';
import { phpTests } from './test-runner.ts';

export const php: LanguageDescriptor = {
  id: 'php',
  name: 'PHP',
  aliases: [],
  extensions: ['.php', '.phtml', '.php3', '.php4', '.php5', '.php7', '.phps', '.phpt'],
  fileNames: ['artisan'],
  paths: phpPaths,
  interpreters: ['php'],
  family: 'code',
  comments: 'markup-and-code',
  grammar: 'php',
  separator: '::',
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  attributeNodes: ['attribute_list'],
  wrapperNodes: [],
  plainNames: true,
  bodyNodes: [],
  nameOf: (raw) => raw.replace(/^[$'"]|['"]$/g, ''),
  // `public private(set)` limits writing only; the visibility is that of reading.
  visibilityOf: (declaration) =>
    (/^[^(={$]*?\b(private|protected)\b(?!\(set\))/.exec(declaration)?.[1] as Visibility | undefined) ?? 'public',
  kindOf: (kind, _name, parentKind): SymbolKind => (kind === 'function' && parentKind === 'class' ? 'method' : kind),
  readImports,
  refine: (symbols) => symbols.map((symbol) => promoted(symbol, symbols)),
  keepReference: (name) => !BUILTIN.test(name),
  names: phpNames,
  imports: phpImports,
  tests: phpTests,
  strings: {
    multiline: true,
    interpolation: /\{(?=\$)/g,
    // `$` precedes a name and is not part of it.
    namePart: /[\w\u0080-\uffff]/,
    moreComments: [/#(?!\[)/],
    codeMarks: ['<?', '?>'],
  },
};

/** Language constructs that the grammar reads as calls or types. */
const BUILTIN =
  /^(?:self|static|parent|isset|empty|array|exit|die|list|compact|func_get_args|define|function_exists|class_exists)$/;

/** A property promoted by a constructor parameter belongs to the class. */
function promoted(symbol: SymbolRecord, symbols: readonly SymbolRecord[]): SymbolRecord {
  const method = symbol.kind === 'property' ? symbols[symbol.parent] : undefined;
  if (method?.kind !== 'method') return symbol;
  const qualifiedName = `${method.qualifiedName.slice(0, -method.name.length)}${symbol.name}`;
  return { ...symbol, parent: method.parent, qualifiedName };
}

function readImports(statement: string): readonly Omit<ImportRecord, 'line'>[] {
  const included = /^(?:require|include)(?:_once)?\b[^'"]*['"]([^'"]+)['"]/i.exec(statement);
  if (included) return [{ source: included[1]!, names: [], alias: '' }];
  const plain = statement
    .replace(/\/\*.*?(?:\*\/|$)|\/\/[^\n]*|#[^\n]*/gs, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const text = plain.replace(/^use /, '').replace(/ ?;$/, '');
  const group = /^(?:(?:function|const) )?([^{]*)\{([^}]*)\}/.exec(text);
  const prefix = group ? `${trimName(group[1]!).replace(/\\$/, '')}\\` : '';
  return (group ? group[2]! : text)
    .split(',')
    .map((clause) => clause.trim().replace(/^(?:function|const)\s+/i, ''))
    .filter((clause) => clause !== '')
    .map((clause) => {
      const [path = '', local] = clause.split(/\s+as\s+/i).map((part) => part.trim());
      const source = prefix + trimName(path);
      const name = source.slice(source.lastIndexOf('\\') + 1);
      return { source, names: [{ name, local: local || name }], alias: '' };
    });
}

function trimName(path: string): string {
  return path.trim().replace(/^\\/, '');
}
