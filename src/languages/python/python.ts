import type { SymbolKind } from '../../model/records/symbol.ts';
import { pattern } from '../../model/text/pattern.ts';
import type { LanguageDescriptor } from '../language.ts';
import { wordSet } from '../name-rules.ts';
import { pythonImports } from './imports.ts';
import { pythonNames } from './names.ts';
import { pythonPaths } from './paths.ts';
import { readPythonImports } from './read-imports.ts';
import { pythonTests } from './test-runner.ts';

/** Built-in names of the language: no file defines them. */
const BUILTINS = wordSet(
  'bool bytes complex dict float frozenset int list object set str tuple type None super len range isinstance ' +
    'issubclass print repr iter next',
  'getattr setattr hasattr enumerate zip sorted reversed min max sum any all abs id hash open property ' +
    'staticmethod classmethod',
);

export const python: LanguageDescriptor = {
  id: 'python',
  name: 'Python',
  aliases: ['py', 'python3'],
  extensions: ['.py', '.pyi', '.pyw'],
  fileNames: ['SConstruct', 'SConscript', 'wscript'],
  paths: pythonPaths,
  interpreters: ['python', 'python2', 'python3', 'pypy', 'uv'],
  family: 'code',
  comments: 'python',
  standardLibrary: pattern()`
    ^(?:__future__|abc|argparse|asyncio|collections|contextlib|copy|csv|dataclasses|datetime|enum|functools|hashlib
    |inspect|io|itertools|json|logging|math|os|pathlib|random|re|shutil|string|subprocess|sys|tempfile|threading|time
    |types|typing|unittest|urllib|uuid|warnings)\b
  `,
  grammar: 'python',
  separator: '.',
  plainNames: true,
  knownReads: true,
  lineComment: '#',
  blockComment: null,
  doc: 'docstring-inside',
  commentNodes: ['comment'],
  attributeNodes: ['decorator'],
  wrapperNodes: ['decorated_definition', 'type_alias_statement', 'expression_statement'],
  bodyNodes: [],
  visibilityOf: (_declaration, name) =>
    /^__\w+__$/.test(name)
      ? 'public'
      : name.startsWith('__')
        ? 'private'
        : name.startsWith('_')
          ? 'internal'
          : 'public',
  kindOf: pythonKind,
  readImports: readPythonImports,
  keepReference: (name, receiver) => receiver !== '' || !BUILTINS.has(name),
  names: pythonNames,
  imports: pythonImports,
  tests: pythonTests,
  strings: { interpolation: /\{/g, interpolatingPrefix: /\b\w*[fFtT]\w*$/ },
};

function pythonKind(kind: SymbolKind, name: string, parentKind: SymbolKind | null): SymbolKind {
  if (kind === 'function' && parentKind === 'class') return 'method';
  if (kind === 'variable') {
    if (/^_*[A-Z][A-Z0-9_]*$/.test(name)) return 'constant';
    if (parentKind === 'class') return 'field';
  }
  return kind;
}
