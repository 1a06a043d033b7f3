/**
 * Masks the name and the braces of macros around whole items (`cfg_rt! { pub fn spawn() … }`, `pin_project! { struct …
 * }`). The grammar reads such a macro as a list of tokens and loses its items: in tokio 666 functions, types and impl
 * blocks of 10,859. Only macros whose content begins like an item and has no macro syntax are masked.
 */
import { pattern } from '../../model/text/pattern.ts';

const CALL = /^[ \t]*(?:\w+::)*([a-z]\w*)! ?\{/gm;
/** Code that a macro quotes belongs to another program. */
const QUOTES = /quote/;
const ITEM = pattern('y')`
  (?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/
  |#!?\[[^\]]*\])*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const|extern(?:\s+"[^"]*")?)\s+)*(?:fn|struct|enum|union
  |trait|impl|mod|use|type|static)\b
`;
/** Macro parameters, interpolation, and heads that no item has: `struct Flags: u32 {`, `fn holds(x in anything())`. */
const FOREIGN = /\$|#(?!!?\[)|\b(?:struct|enum)\s+\w+\s*(?::|=>)|\bfn \w+\s*\([^{;]*\sin\s|\btype \w+\s*;|\bsafe fn\b/;
const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\br(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^']+|[^'\\\n])'|[{}]/g;

export function maskRust(text: string): string {
  if (!text.includes('! {') && !text.includes('!{')) return text;
  const hidden: [start: number, end: number][] = [];
  CALL.lastIndex = 0;
  for (let call = CALL.exec(text); call; call = CALL.exec(text)) {
    const open = CALL.lastIndex;
    if (QUOTES.test(call[1]!)) continue;
    ITEM.lastIndex = open;
    if (!ITEM.test(text)) continue;
    const close = closingBrace(text, open);
    if (close < 0 || FOREIGN.test(withoutText(text.slice(open, close)))) continue;
    hidden.push([call.index, open], [close, close + 1]);
  }
  if (hidden.length === 0) return text;
  hidden.sort((a, b) => a[0] - b[0]);
  let masked = '';
  let done = 0;
  for (const [start, end] of hidden) {
    // The last of several statics needs no semicolon inside of the macro.
    masked += text.slice(done, start) + (text[start] === '}' ? ';' : ' '.repeat(end - start));
    done = end;
  }
  // lazy_static! declares its statics with `static ref`.
  return (masked + text.slice(done)).replace(/(?<=\bstatic )ref(?= [A-Z])/g, '   ');
}

/** The closing brace for the brace before an offset; -1 for none. */
function closingBrace(text: string, from: number): number {
  TOKEN.lastIndex = from;
  let depth = 1;
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    if (token[0] === '{') depth++;
    else if (token[0] === '}' && --depth === 0) return token.index;
  }
  return -1;
}

/** The code without comments and strings. */
function withoutText(code: string): string {
  return code.replace(TOKEN, (token) => (token.length === 1 ? token : '""'));
}
