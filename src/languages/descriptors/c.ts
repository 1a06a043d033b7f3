import type { SymbolKind, SymbolRecord, Visibility } from '../../model/symbol.ts';
import { maskMacros } from '../c-family/mask.ts';
import type { LanguageDescriptor } from '../language.ts';

export const C: LanguageDescriptor = {
  id: 'c',
  name: 'C',
  aliases: [],
  extensions: ['.c', '.h'],
  fileNames: [],
  interpreters: ['tcc'],
  family: 'code',
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
};

/** The signature of a prototype ends with its semicolon: that tells it from the definition, for readers and for the ranking. */
export function refineC(symbols: readonly SymbolRecord[], text: string): readonly SymbolRecord[] {
  const lines = symbols.some(isCallable) ? text.split('\n') : [];
  return symbols.map((symbol) => {
    const tidy = tidySignature(symbol);
    if (!isCallable(tidy) || /= ?(?:default|delete)$/.test(tidy.signature)) return tidy;
    const last = lines[symbol.endLine - 1]!.replace(/\/\*.*?\*\/|\/[/*].*$/g, '').trimEnd();
    return last.endsWith(';') ? { ...tidy, signature: `${tidy.signature};` } : tidy;
  });
}

function isCallable({ kind }: SymbolRecord): boolean {
  return kind === 'function' || kind === 'method';
}

/** `typedef struct` alone says nothing: the name stands behind the body. Blanked macros and continued lines leave holes. */
function tidySignature(symbol: SymbolRecord): SymbolRecord {
  let { signature } = symbol;
  if (symbol.kind === 'macro') signature = signature.replace(/ \\(?= )/g, '');
  else if (signature.startsWith('typedef') && !signature.includes(symbol.name)) signature += ` { … } ${symbol.name}`;
  else signature = signature.replace(/ (?=[),;])/g, '');
  return signature === symbol.signature ? symbol : { ...symbol, signature };
}

export function variableKind(name: string, declaration: string): SymbolKind {
  const head = declaration.split('=', 1)[0]!;
  if (/\bconstexpr\b|\bconstinit\b/.test(head)) return 'constant';
  // `const char *p` may change; `const int n` and `char *const p` may not.
  if (/^[^*]*\bconst\b[^*]*$/.test(head) || /\*\s*const\s/.test(head)) return 'constant';
  return /^[A-Z][A-Z0-9_]+$/.test(name) ? 'constant' : 'variable';
}

/** Static linkage: visible in its own file only. */
export function linkage(declaration: string, name: string): Visibility {
  return /\bstatic\b/.test(declaration.slice(0, Math.max(0, declaration.indexOf(name)))) ? 'private' : 'public';
}
