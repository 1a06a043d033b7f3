/**
 * Since Go 1.26 `new` accepts a value where the grammar expects a type. A `new` with a value is masked as a plain call.
 * What may be a type or a value (`new(x)`, `new(*x)`) stays.
 */
import { closingOf } from '../runtime/reading/split.ts';

/** Arguments are read up to this length, so that each unclosed bracket has a bounded cost. */
const MAX_ARGUMENT = 400;

export function maskNewValues(text: string): string {
  if (!text.includes('new(')) return text;
  return text.replace(/\bnew(?=\()/g, (word, at: number) => {
    const window = text.slice(at + word.length, at + word.length + MAX_ARGUMENT);
    const close = closingOf(window, 0);
    return isValue(window.slice(1, close < 0 ? undefined : close)) ? 'neW' : word;
  });
}

function isValue(argument: string): boolean {
  const text = argument
    .trim()
    .replace(/,$/, '')
    .replace(/<-\s{0,9}chan\b|\bchan\s{0,9}<-/g, 'chan');
  if (/^["'`\d!&^+<-]/.test(text) || /\.\s{0,9}\(/.test(text)) return true;
  const brace = text.indexOf('{');
  if (brace >= 0) {
    const isType = /\b(?:struct|interface)\s{0,9}$/.test(text.slice(0, brace));
    return !isType || closingOf(text, brace) !== text.length - 1;
  }
  if (/\bfunc\b/.test(text)) return false;
  if (/[\w)]\s{0,9}\(/.test(text)) return true;
  const outside = text.replace(/\[[^[\]]{0,200}\]/g, '');
  return /[-+/%|^<>!=&]|\w\s{0,9}\*/.test(outside) || /\w\[\s{0,9}(?:\d|[^\]]{0,200}:)/.test(text);
}
