import type { ImportRecord, SymbolKind } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { jvmImports } from './imports.ts';
import { scalaNames } from './names.ts';
import { jvmPaths } from './paths.ts';
import { jvmTests } from './test-runner.ts';

export const scala: LanguageDescriptor = {
  id: 'scala',
  name: 'Scala',
  aliases: ['sc'],
  extensions: ['.scala', '.sc', '.sbt', '.mill'],
  fileNames: [],
  paths: jvmPaths,
  interpreters: ['scala'],
  family: 'code',
  comments: 'c',
  standardLibrary: /^(?:java|javax|kotlin|scala)\./,
  grammar: 'scala',
  separator: '.',
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment', 'block_comment'],
  attributeNodes: ['annotation'],
  wrapperNodes: [],
  plainNames: true,
  bodyNodes: ['template_body', 'enum_body', 'with_template_body'],
  visibilityOf: (declaration) => {
    const word = /^[^(={:]*?\b(private|protected)\b(\[(?!this))?/.exec(declaration);
    if (!word) return 'public';
    return word[2] ? 'internal' : word[1] === 'private' ? 'private' : 'protected';
  },
  kindOf,
  readImports,
  keepReference: (name) => !/^(?:[A-Z]\d?|Unit|Any|Int|Long|String|Boolean|Nothing|this)$/.test(name),
  names: scalaNames,
  imports: jvmImports,
  tests: jvmTests,
  strings: { characters: true, quotedNames: true, interpolation: /\$\{/g },
};

const TYPES: ReadonlySet<SymbolKind> = new Set(['class', 'trait', 'enum', 'extension']);

function kindOf(kind: SymbolKind, _name: string, parentKind: SymbolKind | null, declaration: string): SymbolKind {
  const inType = parentKind !== null && TYPES.has(parentKind);
  if (kind === 'function') return inType ? 'method' : kind;
  if (kind !== 'property') return kind;
  if (parentKind === 'function' || parentKind === 'method') return 'variable';
  return /\bfinal\s+(?:lazy\s+)?val\s+[A-Z]/.test(declaration) ? 'constant' : kind;
}

/** `import a.b.{C, D => E, _}, f.g` */
function readImports(statement: string): readonly Omit<ImportRecord, 'line'>[] {
  const plain = statement.replace(/\/\*.*?(?:\*\/|$)|\/\/[^\n]*/gs, ' ').replace(/\s+/g, ' ');
  const text = plain.replace(/^ ?(?:import|export) /, '');
  return splitOutsideBraces(text).map((clause) => {
    const open = clause.indexOf('{');
    if (open >= 0 && clause.endsWith('}'))
      return {
        source: squeeze(clause.slice(0, open)).replace(/\.$/, ''),
        names: clause
          .slice(open + 1, -1)
          .split(',')
          .flatMap(readSelector),
        alias: '',
      };
    const renamed = /^(.*)\.([\w$`]+)\s+as\s+([\w$`]+)$/s.exec(clause);
    if (renamed)
      return {
        source: `${squeeze(renamed[1]!)}.${renamed[2]}`,
        names: [{ name: renamed[2]!, local: renamed[3]! }],
        alias: '',
      };
    const source = squeeze(clause);
    const dot = source.lastIndexOf('.');
    const last = source.slice(dot + 1);
    if (last === '_' || last === '*' || last === 'given')
      return { source: source.slice(0, Math.max(0, dot)), names: [{ name: '*', local: '*' }], alias: '' };
    return { source, names: [{ name: last, local: last }], alias: '' };
  });
}

function readSelector(selector: string): { name: string; local: string }[] {
  const [name = '', local] = selector
    .trim()
    .split(/\s*=>\s*|\s+as\s+/)
    .map((part) => part.trim());
  // `X => _` hides a name.
  if (name === '' || local === '_') return [];
  if (name === '_' || name === '*' || name === 'given') return [{ name: '*', local: '*' }];
  return [{ name, local: local ?? name }];
}

function splitOutsideBraces(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let inside = false;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === '{') inside = true;
    else if (text[i] === '}') inside = false;
    if (i < text.length && (inside || text[i] !== ',')) continue;
    parts.push(text.slice(start, i).trim());
    start = i + 1;
  }
  return parts.filter((part) => part !== '');
}

function squeeze(path: string): string {
  return path.replace(/\s+/g, '');
}
