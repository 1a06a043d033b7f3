import type { ImportRecord, SymbolKind } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { linkage, refineC, variableKind } from './c.ts';
import { includes } from './imports.ts';
import { maskMacros } from './mask.ts';
import { cppNames } from './names.ts';
import { cPaths } from './paths.ts';
import { cTests } from './test-runner.ts';

export const cpp: LanguageDescriptor = {
  id: 'cpp',
  name: 'C++',
  aliases: ['c++', 'cxx'],
  extensions: [
    '.cpp',
    '.cc',
    '.cxx',
    '.c++',
    '.hpp',
    '.hh',
    '.hxx',
    '.h++',
    '.ipp',
    '.tpp',
    '.ixx',
    '.cppm',
    '.cu',
    '.cuh',
    '.ino',
  ],
  fileNames: [],
  paths: cPaths,
  tests: cTests,
  interpreters: [],
  family: 'code',
  comments: 'c',
  // The name of a header does not tell which library it belongs to.
  standardLibrary: /./,
  typedHeads: true,
  grammar: 'cpp',
  separator: '::',
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: ['template_declaration'],
  plainNames: true,
  bodyNodes: [],
  mask: (text) => maskMacros(withoutModules(text), 'cpp'),
  nameOf: (raw) => unqualified(raw),
  receiverOf: (raw) =>
    raw
      .slice(0, raw.length - lastSegment(raw).length)
      .replace(/\s*::\s*$/, '')
      .replace(/\binline\s+/g, ''),
  visibilityOf: (declaration, name, _kind, parentKind) =>
    parentKind === 'class' ? 'private' : parentKind === 'struct' ? 'public' : linkage(declaration, name),
  kindOf,
  readImports,
  refine: refineC,
  keepReference: (name) => !TYPE_PARAMETER.test(name) && !CASTS.has(name),
  names: cppNames,
  imports: includes,
  strings: { characters: true, quotedNames: true },
};

/** The grammar does not know C++ modules: `export` before a declaration, module declarations and imports are masked. */
function withoutModules(text: string): string {
  if (!/^(?:export\s+\w|module\s*;)/m.test(text)) return text;
  return text.replace(
    /^[ \t]*(?:(?:export[ \t]+)?(?:module|import)\b[^;{}()=\n]*;|export\b(?=[ \t]+[\w:[]))/gm,
    (words) => ' '.repeat(words.length),
  );
}

const TYPES: ReadonlySet<SymbolKind> = new Set(['class', 'struct']);

function kindOf(kind: SymbolKind, name: string, parentKind: SymbolKind | null, declaration: string): SymbolKind | null {
  const inType = parentKind !== null && TYPES.has(parentKind);
  // A query pattern of its own finds the tests that these macros define.
  if (kind === 'function' && /^\w*TEST\w*$/.test(name) && /^\w+ ?\( ?\w+ ?, ?\w+ ?\)$/.test(declaration)) return null;
  if (kind === 'function') return inType ? 'method' : kind;
  if (kind === 'field')
    return /\bconstexpr\b|\bstatic\s+const\b/.test(declaration.split('=', 1)[0]!) ? 'constant' : kind;
  return kind === 'variable' ? variableKind(name, declaration) : kind;
}

/** One capital letter, perhaps with a digit, is nearly always a template parameter. */
const TYPE_PARAMETER = /^[A-Z]\d?$/;

const CASTS: ReadonlySet<string> = new Set(['static_cast', 'dynamic_cast', 'reinterpret_cast', 'const_cast']);

/** `#include <x>`, `using namespace a::b;`, `using a::b::name;` */
function readImports(statement: string): readonly Omit<ImportRecord, 'line'>[] {
  const included = /^#\s*\w+\s*[<"]([^>"\n]+)[>"]/.exec(statement);
  if (included) return [{ source: included[1]!, names: [], alias: '' }];
  const used = /^using\s+(namespace\s+|enum\s+)?(?:typename\s+)?:{0,2}([\w:\s]+?)\s*;?\s*$/.exec(statement);
  if (!used) return [];
  const source = used[2]!.replace(/\s+/g, '');
  const name = used[1] ? '*' : source.slice(source.lastIndexOf(':') + 1);
  return [{ source, names: [{ name, local: name }], alias: '' }];
}

/** The last segment of a qualified name; `::` inside of template arguments or of an operator's name does not count. */
function lastSegment(raw: string): string {
  const operator = /(?:^|::)\s*(operator\b.*)$/s.exec(raw);
  if (operator) return operator[1]!;
  let depth = 0;
  for (let i = raw.length - 1; i > 0; i--) {
    const c = raw[i];
    if (c === '>') depth++;
    else if (c === '<') depth--;
    else if (c === ':' && raw[i - 1] === ':' && depth === 0) return raw.slice(i + 1).trimStart();
  }
  return raw;
}

function unqualified(raw: string): string {
  const name = lastSegment(raw)
    .replace(/\s+/g, ' ')
    .replace(/^inline /, '')
    .trim();
  if (/^operator\s*\(\s*\)/.test(name)) return 'operator()';
  if (/^operator\b/.test(name)) return beforeParameters(name.replace(/^operator\s*(?=[^\w\s])/, 'operator'));
  return name.replace(/\s*<.*$/s, '').replace(/^~\s+/, '~');
}

/**
 * The parameters of a conversion operator follow its name; brackets inside of template arguments (`operator
 * Action<R(A)>()`) belong to the name.
 */
function beforeParameters(name: string): string {
  let depth = 0;
  for (let i = 0; i < name.length; i++) {
    if (name[i] === '<') depth++;
    else if (name[i] === '>') depth--;
    else if (name[i] === '(' && depth === 0) return name.slice(0, i).trimEnd();
  }
  return name;
}
