/** What the C and C++ grammars get to see: the same text, as long and with the same lines, without what only the preprocessor understands. */
import { maskConditionals } from './conditionals.ts';
import { maskDeclarations } from './declarations.ts';
import { tokenize } from './tokens.ts';

export function maskMacros(text: string, cplusplus: boolean): string {
  const tokens = tokenize(text);
  const conditional = maskConditionals(tokens, cplusplus);
  const hidden = new Uint8Array(tokens.count);
  for (const [first, last] of conditional) hidden.fill(1, first, last + 1);
  for (const [first, last] of maskDeclarations(tokens, hidden)) hidden.fill(1, first, last + 1);
  const pieces: string[] = [];
  let done = 0;
  for (let i = 0; i < tokens.count; i++) {
    if (hidden[i] === 0) continue;
    const start = tokens.starts[i]!;
    let end = tokens.ends[i]!;
    while (i + 1 < tokens.count && hidden[i + 1] === 1) end = tokens.ends[++i]!;
    pieces.push(text.slice(done, start), text.slice(start, end).replace(/[^\n]/g, ' '));
    done = end;
  }
  if (done === 0) return text;
  pieces.push(text.slice(done));
  return pieces.join('');
}
