/** Finds which of some hundred keywords a text holds, in one pass: every file that is indexed and every answer goes through it. */

const FOLD = Uint8Array.from({ length: 256 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code));
const SLOTS = 1 << 15;

function slotOf(a: number, b: number, c: number): number {
  return ((a * 31 + b) * 31 + c) & (SLOTS - 1);
}

export interface KeywordScan {
  /** Calls back for each keyword that stands in the text, in either case, at least once. */
  scan(text: string, found: (keyword: number) => void): void;
}

/** Keywords in lower case, of two characters or more. Three characters decide whether a place is worth a closer look. */
export function createKeywordScan(keywords: readonly string[]): KeywordScan {
  const isWanted = new Uint8Array(SLOTS);
  const bySlot = new Map<number, number[]>();
  const add = (slot: number, keyword: number) => {
    isWanted[slot] = 1;
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), keyword]);
  };
  keywords.forEach((keyword, index) => {
    const [a, b, c] = [0, 1, 2].map((at) => keyword.charCodeAt(at));
    if (Number.isNaN(c)) for (let any = 0; any < 256; any++) add(slotOf(a!, b!, any), index);
    else add(slotOf(a!, b!, c!), index);
  });
  return {
    scan(text, found) {
      const seen = new Uint8Array(keywords.length);
      let a = 0;
      let b = 0;
      // Two places past the end: the last keyword may be shorter than what is compared.
      for (let i = 0; i < text.length + 2; i++) {
        const code = i < text.length ? text.charCodeAt(i) : 0;
        const c = code < 256 ? FOLD[code]! : 0;
        if (isWanted[slotOf(a, b, c)] === 1)
          for (const keyword of bySlot.get(slotOf(a, b, c))!)
            if (seen[keyword] === 0 && standsAt(text, i - 2, keywords[keyword]!)) {
              seen[keyword] = 1;
              found(keyword);
            }
        a = b;
        b = c;
      }
    },
  };
}

function standsAt(text: string, at: number, keyword: string): boolean {
  if (at < 0 || at + keyword.length > text.length) return false;
  for (let i = 0; i < keyword.length; i++) {
    const code = text.charCodeAt(at + i);
    if (code > 255 || FOLD[code] !== keyword.charCodeAt(i)) return false;
  }
  return true;
}
