import type { SymbolKind, SymbolRecord, Visibility } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { beforeInitialisers } from '../runtime/extract/node-text.ts';
import { includes } from './imports.ts';
import { maskMacros } from './mask.ts';
import { cNames } from './names.ts';
import { cPaths } from './paths.ts';
import { cTests } from './test-runner.ts';

export const c: LanguageDescriptor = {
  id: 'c',
  name: 'C',
  aliases: [],
  extensions: ['.c', '.h'],
  fileNames: [],
  paths: cPaths,
  tests: cTests,
  interpreters: ['tcc'],
  family: 'code',
  comments: 'c',
  // The name of a header does not tell which library it belongs to.
  standardLibrary: /./,
  typedHeads: true,
  grammar: 'c',
  separator: '.',
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: [],
  plainNames: true,
  bodyNodes: [],
  mask: (text) => maskMacros(text, 'c'),
  visibilityOf: linkage,
  refine: refineC,
  kindOf: (kind, name, _parent, declaration) => (kind === 'variable' ? variableKind(name, declaration) : kind),
  names: cNames,
  imports: includes,
  strings: { characters: true, quotedNames: true },
};

/**
 * Keeps the semicolon at the end of a prototype's signature: it tells the prototype from the definition, for readers
 * and for ranking.
 */
export function refineC(symbols: readonly SymbolRecord[], text: string): readonly SymbolRecord[] {
  const lines = symbols.some(isCallable) ? text.split('\n') : [];
  // Prototypes by the line on which they end: one line may contain thousands.
  const ends = new Map<number, string>();
  const endOf = (line: number) => {
    const known = ends.get(line) ?? withoutComments(lines[line - 1]!);
    ends.set(line, known);
    return known;
  };
  return withoutHolders(symbols).map((symbol) => {
    const tidy = tidySignature(symbol);
    if (!isCallable(tidy) || /= ?(?:default|delete)$/.test(tidy.signature)) return tidy;
    const last = endOf(symbol.endLine);
    // A body may be followed by a semicolon, too.
    const isPrototype = last.endsWith('};')
      ? symbol.nameLine === symbol.endLine &&
        /^[^{;]*;/.test(last.slice(symbol.nameColumn - 1, symbol.nameColumn + 999))
      : last.endsWith(';');
    return isPrototype ? { ...tidy, signature: `${tidy.signature};` } : tidy;
  });
}

/** Only white space may stand between a closing brace and the semicolon at the end of the line. */
function withoutComments(line: string): string {
  const code = line.replace(/\/\*.*?\*\/|\/[/*].*$/g, '').trimEnd();
  return code.endsWith(';') ? `${code.slice(0, -1).trimEnd()};` : code;
}

/** `struct cmd { … } table[]`: the type belongs to the scope of the variable, not to the variable. */
function withoutHolders(symbols: readonly SymbolRecord[]): readonly SymbolRecord[] {
  const moved: SymbolRecord[] = [];
  for (const symbol of symbols) {
    const before = symbols[symbol.parent];
    const holder = moved[symbol.parent];
    if (!before || !holder) moved.push(symbol);
    else if (NAMED_TYPES.has(symbol.kind) && HOLDERS.has(holder.kind)) {
      const outer = moved[holder.parent];
      const tail = symbol.qualifiedName.slice(before.qualifiedName.length);
      moved.push({
        ...symbol,
        parent: holder.parent,
        qualifiedName: outer ? outer.qualifiedName + tail : symbol.name,
      });
    } else if (holder.qualifiedName === before.qualifiedName) moved.push(symbol);
    else {
      const tail = symbol.qualifiedName.slice(before.qualifiedName.length);
      moved.push({ ...symbol, qualifiedName: holder.qualifiedName + tail });
    }
  }
  return moved;
}

const NAMED_TYPES: ReadonlySet<SymbolKind> = new Set(['struct', 'class', 'enum']);
const HOLDERS: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'field']);

function isCallable({ kind }: SymbolRecord): boolean {
  return kind === 'function' || kind === 'method';
}

/**
 * The name of `typedef struct {…} name` follows the body, and masked macros and line continuations leave gaps of white
 * space.
 */
function tidySignature(symbol: SymbolRecord): SymbolRecord {
  let { signature } = symbol;
  if (symbol.kind === 'macro') signature = signature.replace(/ \\(?= )/g, '');
  else if (signature.startsWith('typedef') && !signature.includes(symbol.name)) signature += ` { … } ${symbol.name}`;
  else signature = signature.replace(/ (?=[),;])/g, '');
  if (isCallable(symbol)) signature = beforeInitialisers(signature.replace(/ ?\{ ?\}$/, ''));
  return signature === symbol.signature ? symbol : { ...symbol, signature };
}

export function variableKind(name: string, declaration: string): SymbolKind {
  const head = declaration.split('=', 1)[0]!;
  if (/\bconstexpr\b|\bconstinit\b/.test(head)) return 'constant';
  // `const char *p` is a variable; `const int n` and `char *const p` are constants.
  if (/^[^*]*\bconst\b[^*]*$/.test(head) || /\*\s*const\s/.test(head)) return 'constant';
  return /^[A-Z][A-Z0-9_]+$/.test(name) ? 'constant' : 'variable';
}

/** A symbol with static linkage is visible only in its file. */
export function linkage(declaration: string, name: string): Visibility {
  return /\bstatic\b/.test(declaration.slice(0, Math.max(0, declaration.indexOf(name)))) ? 'private' : 'public';
}
