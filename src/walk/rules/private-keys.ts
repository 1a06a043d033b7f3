/**
 * Finds private keys in a text, whatever the file is called. It makes one pass and reads a bounded part around each
 * mark, since a hostile file may consist of marks, or hold a megabyte of blanks after one.
 */

const PEM_MARK = 'PRIVATE KEY';
const BEFORE_PEM_MARK = /-----? ?BEGIN (?:[A-Z0-9]{1,20} ){0,4}$/;
const AFTER_PEM_MARK = /^(?: BLOCK)? ?-----?/;
/** The length of the longest match of BEFORE_PEM_MARK. */
const LOOK_BACK = 100;
const LOOK_AHEAD = 16;
/** Header lines between the mark and the key, such as "Proc-Type: 4,ENCRYPTED". */
const HEADER_LINE = /[A-Za-z-]{1,40}: [^\n]{0,200}\n/y;
const MAX_HEADER_LINES = 16;
/**
 * The text between the mark and the key: line ends, and whatever joins the parts of a string literal. A line end may be
 * an escape sequence, escaped any number of times.
 */
const SEPARATORS = /[\s"'`+,]+|\\+[rn]/y;
const BLANKS = /\s*/y;
const KEY_TEXT = /[A-Za-z0-9+/=]{32}/y;

const AGE_KEY = /\bAGE-SECRET-KEY-1[A-Z0-9]{40}/;
const PUTTY_HEAD = /^PuTTY-User-Key-File-\d: /m;
const PUTTY_BODY = /^Private-Lines: \d/m;

export function holdsPrivateKey(text: string): boolean {
  return (
    holdsPem(text) ||
    (text.includes('AGE-SECRET-KEY-1') && AGE_KEY.test(text)) ||
    (text.includes('PuTTY-User-Key-File-') && PUTTY_HEAD.test(text) && PUTTY_BODY.test(text))
  );
}

function holdsPem(text: string): boolean {
  for (let at = text.indexOf(PEM_MARK); at >= 0; at = text.indexOf(PEM_MARK, at + 1)) {
    if (!BEFORE_PEM_MARK.test(text.slice(Math.max(0, at - LOOK_BACK), at))) continue;
    const behind = at + PEM_MARK.length;
    const end = AFTER_PEM_MARK.exec(text.slice(behind, behind + LOOK_AHEAD));
    if (end && keyFollows(text, behind + end[0].length)) return true;
  }
  return false;
}

function keyFollows(text: string, start: number): boolean {
  let at = start;
  for (let next = skip(SEPARATORS, text, at); next > at; next = skip(SEPARATORS, text, at)) at = next;
  if (at === start) return false;
  for (let lines = 0; lines <= MAX_HEADER_LINES; lines++) {
    if (skip(KEY_TEXT, text, at) > at) return true;
    const next = skip(BLANKS, text, skip(HEADER_LINE, text, at));
    if (next === at) return false;
    at = next;
  }
  return false;
}

/** The end of the sticky pattern's match at `at`; `at` itself if it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
