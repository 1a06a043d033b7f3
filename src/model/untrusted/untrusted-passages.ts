/**
 * Finds the passages of a longer text that give orders to a language model: paragraphs and list items of prose,
 * comments and lines of code.
 */
import { pattern } from '../text/pattern.ts';
import { givesOrders } from './instruction.ts';

export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

const PROSE = pattern('i')`
  (?:^|\/)[^/.]*$|\.(?:md|mdx|mdc|markdown|rst|txt|adoc|asciidoc|html?|org|tex|cursorrules|windsurfrules|clinerules)$
`;
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s/;
const HEADING = /^\s{0,3}#{1,6}\s/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|;|%|<!--|"""|''')/;
/** Longer passages are split. */
const MAX_LINES = 30;
/** Only this many characters of a text are checked, because answers seldom show more of a file. */
const MAX_CHARACTERS = 300_000;

export function isProsePath(path: string): boolean {
  return PROSE.test(path);
}

/** Lines count from 1, within the text. */
export function untrustedPassages(text: string, isProse: boolean): LineRange[] {
  const lines = text.slice(0, MAX_CHARACTERS).split('\n');
  const found: LineRange[] = [];
  for (const { from, to, isComment } of passagesOf(lines, isProse)) {
    const passage = lines.slice(from, to).join('\n');
    // A passage of very few words gives no order.
    if (passage.length < 12 || !givesOrders(passage, !isProse && !isComment)) continue;
    const last = found.at(-1);
    if (last && last.endLine >= from) found[found.length - 1] = { startLine: last.startLine, endLine: to };
    else found.push({ startLine: from + 1, endLine: to });
  }
  return found;
}

interface Passage {
  readonly from: number;
  readonly to: number;
  readonly isComment: boolean;
}

function* passagesOf(lines: readonly string[], isProse: boolean): Generator<Passage> {
  let from = 0;
  let isComment = false;
  for (let at = 0; at <= lines.length; at++) {
    const line = lines[at];
    const wasComment = isComment;
    const isBlank = line === undefined || line.trim() === '';
    isComment = !isProse && !isBlank && COMMENT.test(line);
    const begins = isBlank || (isProse ? ITEM.test(line) || HEADING.test(line) : isComment !== wasComment);
    if ((begins || at - from >= MAX_LINES) && at > from) yield { from, to: at, isComment: wasComment };
    if (isBlank) from = at + 1;
    else if (begins || at - from >= MAX_LINES) from = at;
  }
}
