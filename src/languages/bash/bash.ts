import type { ImportRecord } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { nameRules } from '../name-rules.ts';
import { readAssigned } from '../runtime/reading/assigned.ts';
import { shellImports } from './imports.ts';
import { bashPaths } from './paths.ts';

/** Builtins and common tools: calls of them are no references to the project. */
const BUILTINS = new Set(
  (
    '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown ' +
    'echo enable eval exec exit export ' +
    'false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read ' +
    'readarray readonly return set shift shopt ' +
    'source suspend test times trap true type typeset ulimit umask unalias unset wait awk basename cat chmod ' +
    'chown cp curl cut date dirname env ' +
    'expr find git grep head id ln ls make mkdir mktemp mv node npm python python3 rm rmdir sed sleep sort tail ' +
    'tar tee touch tr uname uniq wc which xargs sudo'
  ).split(' '),
);

export const bash: LanguageDescriptor = {
  id: 'bash',
  name: 'Bash',
  aliases: ['shell', 'sh', 'zsh', 'ksh'],
  extensions: ['.sh', '.bash', '.zsh', '.ksh', '.bats', '.command', '.ebuild'],
  fileNames: [
    '.bashrc',
    '.bash_profile',
    '.bash_aliases',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.envrc',
    'PKGBUILD',
    'APKBUILD',
    'configure.ac',
  ],
  paths: bashPaths,
  interpreters: ['bash', 'sh', 'zsh', 'ksh', 'dash', 'ash', 'bats'],
  family: 'code',
  comments: 'hash',
  grammar: 'bash',
  separator: '.',
  lineComment: '#',
  blockComment: null,
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: [],
  bodyNodes: [],
  visibilityOf: (_declaration, name) => (name.startsWith('_') ? 'private' : 'public'),
  kindOf: (kind, name, _parentKind, declaration) => {
    if (kind !== 'constant' && kind !== 'variable') return kind;
    if (/^(?:readonly|(?:declare|typeset)\s+-\w*r)/.test(declaration) || /^[A-Z][A-Z0-9_]*$/.test(name))
      return 'constant';
    return 'variable';
  },
  nameOf: (raw) => raw.replace(/=.*$/, '').replace(/^["']|["']$/g, ''),
  readImports,
  mask: maskExpansions,
  plainSignatures: true,
  keepReference: (name) => !BUILTINS.has(name) && /^[\w.:+-]+$/.test(name) && !name.startsWith('-'),
  names: nameRules({ family: 'bash', visible: 'global', declares: 'assignment', readDeclared: readAssigned }),
  imports: shellImports,
};

/** `source "$DIR/lib.sh"`: the value of a variable is unknown, but the rest of the path often identifies the file. */
function readImports(statement: string): Omit<ImportRecord, 'line'>[] {
  const match = /^(?:source|\.)\s+(?:--\s+)?(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(statement);
  const source = match?.[1] ?? match?.[2] ?? match?.[3];
  return source ? [{ source, alias: '', names: [] }] : [];
}

/**
 * Nested expansions (`${a:+${a};}`, `${a:$b:$c}`) make the grammar misread the rest of the file; they are masked by a
 * word of the same length.
 */
function maskExpansions(text: string): string {
  if (!text.includes('${')) return text;
  return text.replace(/\$\{[^{}\n]*\$\{[^{}\n]*\}[^{}\n]*\}|\$\{\w+:\$[^{}\n]*\}/g, (word) => '_'.repeat(word.length));
}
