/**
 * Fits answers into a token budget. Tokens are estimated from the bytes of the answer as JSON, on the high side for
 * code. Cuts start at the end, because the best results come first: long texts lose their tails before results are
 * dropped, and the answer counts what is missing.
 */
import { revealHidden, revealIn } from '../../model/untrusted/visible-text.ts';
import { markUntrusted } from './untrusted-text.ts';

const BYTES_PER_TOKEN = 3.5;
/** A shortened text keeps at least this many lines if there is room, and this much of an overlong line. */
const MIN_LINES = 3;
const LINE_CHARS = 200;
/** Bytes reserved for braces and for the names of optional fields. */
const FRAME_BYTES = 40;

type Json = Readonly<Record<string, unknown>>;

/** Cached: an item's size is needed three times and does not change. */
const measuredBytes = new WeakMap<object, number>();

/** Bytes of a value in the answer, after redaction and escaping, with the comma that follows it. */
export function bytesOf(value: unknown): number {
  const isObject = typeof value === 'object' && value !== null;
  const known = isObject ? measuredBytes.get(value) : undefined;
  if (known !== undefined) return known;
  const bytes = Buffer.byteLength(JSON.stringify(revealIn(markUntrusted(value)))) + 1;
  if (isObject) measuredBytes.set(value, bytes);
  return bytes;
}

type Shorten<T> = (item: T, lines: number) => T;

export interface Fitted<T> {
  readonly items: readonly T[];
  /** Items left out. */
  readonly omitted: number;
  /** Items whose text was shortened. */
  readonly shortened: number;
  readonly bytes: number;
}

/**
 * Takes items in order while they fit; `shorten` returns the item with its text cut to a number of lines, or unchanged.
 */
export function fitItems<T>(items: readonly T[], budgetBytes: number, shorten: Shorten<T>): Fitted<T> {
  // Equal shares, so that one long definition does not displace nine other results.
  const shares = evenShares(items.map(bytesOf), budgetBytes);
  const kept: T[] = [];
  let left = budgetBytes;
  let spare = 0;
  let shortened = 0;
  for (const [i, item] of items.entries()) {
    const share = shares[i]! + spare;
    let chosen = item;
    let bytes = bytesOf(item);
    for (let lines = 64; bytes > share && lines >= MIN_LINES; lines = Math.floor(lines / 2)) {
      chosen = shorten(item, lines);
      bytes = bytesOf(chosen);
    }
    if (bytes > left) {
      chosen = shorten(item, 1);
      bytes = bytesOf(chosen);
      if (bytes > left) break;
    }
    if (chosen !== item) shortened++;
    kept.push(chosen);
    left -= bytes;
    spare = Math.max(0, share - bytes);
  }
  return { items: kept, omitted: items.length - kept.length, shortened, bytes: budgetBytes - left };
}

/** Items that need less than an equal share get what they need; the others share the rest. */
function evenShares(needs: readonly number[], budgetBytes: number): number[] {
  const shares = needs.map(() => 0);
  let left = Math.max(0, budgetBytes);
  const smallestFirst = needs.map((need, i) => ({ need, i })).sort((a, b) => a.need - b.need);
  smallestFirst.forEach(({ need, i }, at) => {
    shares[i] = Math.min(need, left / (needs.length - at));
    left -= shares[i]!;
  });
  return shares;
}

/** A part of an answer. Sizes are in bytes. */
export interface Part {
  /** The size of the whole part, and the smallest useful size. */
  readonly need: number;
  readonly least: number;
  fit(budgetBytes: number): { readonly fields: Json; readonly bytes: number };
  /** The part's fields when empty. */
  readonly frame: Json;
  /** The field that contains the part, if it is not at the top level. */
  readonly under?: string;
}

export interface ListOptions<T> {
  readonly items: readonly T[];
  /** The total, if it exceeds the items given. */
  readonly more?: number;
  readonly shorten?: Shorten<T>;
  readonly show: (items: readonly T[], missing: number, shortened: number) => Json;
  /** Extra bytes of `show` for the first item, if `show` omits an empty list. */
  readonly opening?: number;
}

export function listPart<T>(options: ListOptions<T>): Part {
  const { items, more = 0, shorten = (item) => item, show, opening = 0 } = options;
  const [first] = items;
  return {
    need: items.reduce((sum, item) => sum + bytesOf(item), opening),
    least: first === undefined ? 0 : bytesOf(shorten(first, 1)) + opening,
    frame: show([], items.length + more, items.length),
    fit(budgetBytes) {
      const { items: kept, omitted, shortened, bytes } = fitItems(items, budgetBytes - opening, shorten);
      return { fields: show(kept, omitted + more, shortened), bytes: kept.length > 0 ? bytes + opening : 0 };
    },
  };
}

/** As listPart(), with `name` for the list and `more_name` for the number of omitted items. */
export function namedList<T>(name: string, options: Omit<ListOptions<T>, 'show'>): Part {
  return listPart({
    ...options,
    show: (items, missing) => ({
      ...((items.length > 0 || missing === 0) && { [name]: items }),
      ...(missing > 0 && { [`more_${name}`]: missing }),
    }),
    opening: bytesOf({ [name]: [] }),
  });
}

/** A part with whole lines of a text, or the beginning of its first line if that exceeds the budget. */
export function textPart(text: string, show: (shown: string, lines: number, missing: number) => Json): Part {
  const lines = revealHidden(text).split('\n');
  // JSON needs at most six bytes for a character.
  const begin = (bytes: number) => firstCharacters(lines[0]!, Math.max(LINE_CHARS, Math.floor(bytes / 6)));
  return {
    need: lines.reduce((sum, line) => sum + bytesOf(line), 0),
    least: bytesOf(begin(0)),
    frame: show('', lines.length, lines.length),
    fit(budgetBytes) {
      let bytes = 0;
      let count = 0;
      for (const line of lines) {
        if (bytes + bytesOf(line) > budgetBytes) break;
        bytes += bytesOf(line);
        count++;
      }
      if (count > 0) return { fields: show(lines.slice(0, count).join('\n'), count, lines.length - count), bytes };
      const beginning = begin(budgetBytes);
      if (bytesOf(beginning) > budgetBytes) return { fields: show('', 0, lines.length), bytes };
      return { fields: show(beginning, 1, lines.length - 1), bytes: bytesOf(beginning) };
    },
  };
}

/** As textPart(), with `name` for the text, and a last line that counts the omitted lines. */
export function namedText(name: string, text: string): Part {
  return textPart(text, (shown, _lines, missing) => ({
    [name]: missing > 0 ? `${shown}\n… ${missing} more lines` : shown,
  }));
}

/**
 * Fits several parts into an answer, the most important first. A part that needs less than an equal share gets what it
 * needs, and the others share the rest; if shares are too small to be useful, the first parts get the space. The first
 * part is never empty, even over budget.
 */
export function fitParts(maxTokens: number, frame: Json, parts: readonly Part[]): Json {
  const frames = parts.reduce((sum, part) => sum + bytesOf(part.frame), bytesOf(frame));
  let left = maxTokens * BYTES_PER_TOKEN - FRAME_BYTES - frames;
  const shares = evenShares(
    parts.map(({ need }) => need),
    left,
  );
  const answer: Record<string, unknown> = { ...frame };
  let spare = 0;
  for (const [i, part] of parts.entries()) {
    // The last part may use all that remains.
    const share = i === parts.length - 1 ? left : shares[i]! + spare;
    const room = Math.min(left, Math.max(share, part.least));
    const { fields, bytes } = part.fit(i === 0 ? Math.max(room, part.least) : room);
    spare = Math.max(0, share - bytes);
    left -= bytes;
    if (part.under === undefined) Object.assign(answer, fields);
    else answer[part.under] = Object.assign(answer[part.under] ?? {}, fields);
  }
  return answer;
}

/** The first lines of a text, with a last line that counts the rest; overlong lines are cut. */
export function firstLines(text: string, lines: number): string {
  const all = text.split('\n');
  const shown = all.slice(0, lines).map((line) => firstCharacters(line, LINE_CHARS));
  return all.length <= lines ? shown.join('\n') : `${shown.join('\n')}\n… ${all.length - lines} more lines`;
}

export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  // Does not split a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[count - 1]!) ? count - 1 : count;
  return `${text.slice(0, end)}… ${text.length - end} more characters`;
}
