import type { ImportRecord, SymbolKind, SymbolRecord, Visibility } from '../../model/records/symbol.ts';
import { maskDirectives } from '../c-family/mask.ts';
import type { LanguageDescriptor } from '../language.ts';
import { csharpImports } from './imports.ts';
import { csharpNames } from './names.ts';
import { csharpPaths } from './paths.ts';
import { csharpTests } from './test-runner.ts';

export const csharp: LanguageDescriptor = {
  id: 'csharp',
  name: 'C#',
  aliases: ['c#', 'cs'],
  extensions: ['.cs', '.csx'],
  fileNames: [],
  paths: csharpPaths,
  interpreters: [],
  family: 'code',
  comments: 'c',
  standardLibrary: /^System\b/,
  typedHeads: true,
  grammar: 'c_sharp',
  separator: '.',
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  attributeNodes: ['attribute_list'],
  wrapperNodes: [],
  plainNames: true,
  bodyNodes: ['accessor_list', 'arrow_expression_clause'],
  nameOf: (raw) => raw.replace(/\s+/g, '').replace(/^@/, ''),
  visibilityOf,
  kindOf: (kind, _name, _parent, declaration) => {
    if (
      kind === 'field' &&
      /\bconst\b|\bstatic\b[^=]*\breadonly\b|\breadonly\b[^=]*\bstatic\b/.test(declaration.split('=', 1)[0]!)
    )
      return 'constant';
    return kind === 'class' && /\brecord\s+struct\b/.test(declaration.split('(', 1)[0]!) ? 'struct' : kind;
  },
  readImports,
  mask: maskDirectives,
  refine: (symbols) => symbols.map(named),
  keepReference: (name) => !/^(?:T|T\d|nameof|var|dynamic)$/.test(name),
  names: csharpNames,
  imports: csharpImports,
  tests: csharpTests,
  strings: { characters: true, quotedNames: true, interpolation: /\{/g, interpolatingPrefix: /\$@?$/ },
};

const TYPES: ReadonlySet<SymbolKind> = new Set(['class', 'struct', 'interface', 'enum', 'type']);

function visibilityOf(declaration: string, _name: string, kind: SymbolKind, parentKind: SymbolKind | null): Visibility {
  const head = declaration.split(/[({=]/, 1)[0]!;
  const word = /\b(?:public|protected|private|internal)\b/.exec(head)?.[0];
  if (word) return word as Visibility;
  // The parameters of a record are public properties.
  if (kind === 'property' && /^[^{=]*[\w?\]>)] @?\w+(?: = .*)?$/.test(declaration) && !/\bevent\b/.test(declaration))
    return 'public';
  if (kind === 'module' || parentKind === 'interface' || parentKind === 'enum') return 'public';
  return TYPES.has(kind) && (parentKind === null || parentKind === 'module') ? 'internal' : 'private';
}

/** Operators and finalisers have no name node in the syntax tree. */
function named(symbol: SymbolRecord): SymbolRecord {
  if (symbol.kind !== 'method' || /^[\w@]+$/.test(symbol.name) !== (symbol.name === 'operator')) return symbol;
  const name = symbol.name.startsWith('~')
    ? /~\s*\w+/.exec(symbol.signature)?.[0]
    : /\boperator\s+(?:checked\s+)?[^(]*(?:\(\s*\)(?=\s*\())?/.exec(symbol.signature)?.[0].trim();
  if (!name) return symbol;
  return { ...symbol, name, qualifiedName: symbol.qualifiedName.slice(0, -symbol.name.length) + name };
}

function readImports(statement: string): readonly Omit<ImportRecord, 'line'>[] {
  const text = statement.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, ' ').replace(/\s+/g, ' ');
  const match = /^(?:global )?using (static )?(?:unsafe )?(?:(@?\w+) ?= ?)?(?:global::)?(.+?) ?;?$/.exec(text.trim());
  if (!match) return [];
  const [, isStatic, alias = '', source = ''] = match;
  return [{ source: source.replace(/ /g, ''), names: isStatic ? [{ name: '*', local: '*' }] : [], alias }];
}
