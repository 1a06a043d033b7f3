/**
 * Answers that fit a budget. Tokens are estimated from bytes, on the high side for code. What does not fit is shortened from the end (the
 * ranking put the best first): long texts lose their tails before places are left out, and the answer says what is missing.
 */
const BYTES_PER_TOKEN = 3.5;
/** A shortened text keeps at least so many lines. */
const MIN_LINES = 3;

export function estimateTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value)) / BYTES_PER_TOKEN);
}

export interface Fitted<T> {
  readonly items: readonly T[];
  /** Items left out. */
  readonly omitted: number;
  /** Items whose text was shortened. */
  readonly shortened: number;
}

/** Takes items in order while they fit; `shorten` gives an item with a text of at most so many lines, or the item itself. */
export function fitItems<T>(
  items: readonly T[],
  budgetTokens: number,
  shorten: (item: T, lines: number) => T,
): Fitted<T> {
  // An even share each, so that one long definition does not push out nine other places.
  const share = budgetTokens / Math.max(1, items.length);
  const kept: T[] = [];
  let left = budgetTokens;
  let shortened = 0;
  for (const [index, item] of items.entries()) {
    const restShare = Math.max(share, left / (items.length - index));
    let chosen = item;
    let cost = estimateTokens(item);
    for (let lines = 64; cost > restShare && lines >= MIN_LINES; lines = Math.floor(lines / 2)) {
      chosen = shorten(item, lines);
      cost = estimateTokens(chosen);
    }
    if (cost > left) {
      if (kept.length > 0) return { items: kept, omitted: items.length - kept.length, shortened };
      chosen = shorten(item, 1);
    }
    if (chosen !== item) shortened++;
    kept.push(chosen);
    left -= cost;
  }
  return { items: kept, omitted: 0, shortened };
}

/** The first lines of a text, with a line that says how many follow. */
export function firstLines(text: string, lines: number): string {
  const all = text.split('\n');
  return all.length <= lines ? text : `${all.slice(0, lines).join('\n')}\n… ${all.length - lines} more lines`;
}

/** As many whole lines as fit. */
export function fitText(
  text: string,
  budgetTokens: number,
): { readonly text: string; readonly lines: number; readonly complete: boolean } {
  const all = text.split('\n');
  if (estimateTokens(text) <= budgetTokens) return { text, lines: all.length, complete: true };
  let bytes = budgetTokens * BYTES_PER_TOKEN;
  let lines = 0;
  while (lines < all.length) {
    bytes -= Buffer.byteLength(all[lines]!) + 2;
    if (bytes < 0) break;
    lines++;
  }
  // One line is shown whatever it costs; going on from it must lead somewhere.
  const shown = Math.max(1, lines);
  return { text: all.slice(0, shown).join('\n'), lines: shown, complete: shown === all.length };
}
