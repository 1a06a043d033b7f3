/**
 * Splits a pasted issue into title, prose, quoted code, traces and logs. Words of the title count most; templates,
 * version lists and form fields count nothing. Pure.
 */
import { pattern } from '../../model/text/pattern.ts';

export interface ReportPart {
  readonly text: string;
  /** How much its words count. */
  readonly weight: number;
  readonly sort: 'title' | 'prose' | 'code' | 'trace';
}

const FEWEST_CHARACTERS = 280;
const WEIGHTS = { title: 1, prose: 0.5, code: 0.35, trace: 0.3 } as const;
const COMMENT = /<!--[\s\S]*?-->/g;
const LINK = /!?\[([^[\]]{0,300})\]\([^()]{0,600}\)|https?:\/\/\S+|<\/?\w+[^<>\n]{0,600}>/g;
/** Lines of a form are short; only this much of a line is checked. */
const FORM_CHARACTERS = 300;
/** Of a form: headings, ticked boxes, `key: 1.2.3`, `_No response_`. */
const FORM = pattern()`
    ^(?:#{1,6}(?:\s|$)|[-*]\s*\[[ xX]\]|_No response_|\*\*[^*]+\*\*:?\s*$|[-*]?\s*[\w .()/-]{2,40}:\s*v?\d[\w.+-]*\s*$
    |\|)
  `;
const FRAME = /^\s*(?:File ".+", line \d+|at .+[:(]|Traceback \(|\w*(?:Error|Exception|Warning)\b.*:|#\d+ )/;
/** The beginning of a log line: a time, a level or a tool's name in brackets. */
const LOG = /^\s*(?:\[\w+\]|\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\b)/;

/** A text of this length was pasted, not typed. */
export function isReport(text: string): boolean {
  return text.length >= FEWEST_CHARACTERS && text.includes('\n');
}

export function readReport(text: string): ReportPart[] {
  const parts: ReportPart[] = [];
  const add = (sort: ReportPart['sort'], line: string) => {
    const last = parts.at(-1);
    if (line.trim() === '') return;
    if (last?.sort === sort) parts[parts.length - 1] = { ...last, text: `${last.text}\n${line}` };
    else parts.push({ text: line, weight: WEIGHTS[sort], sort });
  };
  let isCode = false;
  const lines = text.replace(COMMENT, '').split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  for (const [i, raw] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(raw)) {
      isCode = !isCode;
      continue;
    }
    const line = isCode ? raw : raw.replace(LINK, ' $1 ');
    if (i === first) add('title', line);
    else if (FRAME.test(line) || LOG.test(line)) add('trace', line);
    else if (isCode || /^(?: {4}|\t)\S/.test(line)) add('code', line);
    else if (!FORM.test(line.trim().slice(0, FORM_CHARACTERS))) add('prose', line);
  }
  return parts;
}
