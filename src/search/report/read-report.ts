/**
 * Splits a pasted issue into title, prose, quoted code, traces and logs, with a weight for each. Drops templates,
 * version lists, form fields and sections that describe the machine. Pure.
 */
import { pattern } from '../../model/text/pattern.ts';

export interface ReportPart {
  readonly text: string;
  /** Targets of the links in the text. */
  readonly links: string;
  /** Weight of its words. */
  readonly weight: number;
  readonly sort: 'title' | 'prose' | 'code' | 'trace';
}

const MIN_REPORT_CHARACTERS = 280;
const WEIGHTS = { title: 1, prose: 0.5, code: 0.35, trace: 0.3 } as const;
const COMMENT = /<!--[\s\S]*?-->/g;
const LINK = /!?\[([^[\]]{0,300})\]\(([^()]{0,600})\)|(https?:\/\/[^\s)>\]]+)|<\/?\w+[^<>\n]{0,600}>/g;
/** Lines of a form are short; only this much of a line is checked. */
const MAX_FORM_CHARACTERS = 300;
/** A line of a form: a heading, a checkbox, `key: 1.2.3`, `_No response_`. */
const FORM = pattern()`
    ^(?:#{1,6}(?:\s|$)|[-*]\s*\[[ xX]\]|_No response_|\*\*[^*]+\*\*:?\s*$|[-*]?\s*[\w .()/-]{2,40}:\s*v?\d[\w.+-]*\s*$
    |\|)
  `;
const HEADING = /^\s*(?:#{1,6}\s+\S|\*\*[^*]{2,80}\*\*:?\s*$)/;
/** A heading of a section about the machine and its installed versions. */
const MACHINE = pattern('i')`
    ^[^\w]*.{0,40}\b(?:environment|versions?|system info(?:rmation)?|platform|operating system|installed packages
    |how did you install|os used|hardware)\b.{0,20}$
  `;
const FRAME = /^\s*(?:File ".+", line \d+|at .+[:(]|Traceback \(|\w*(?:Error|Exception|Warning)\b.*:|#\d+ )/;
/** The beginning of a log line: a time, a level or a tool's name in brackets. */
const LOG = /^\s*(?:\[\w+\]|\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\b)/;

/** A text of several lines and at least this length was pasted, not typed. */
export function isReport(text: string): boolean {
  return text.length >= MIN_REPORT_CHARACTERS && text.includes('\n');
}

export function readReport(text: string): ReportPart[] {
  const parts: ReportPart[] = [];
  const add = (sort: ReportPart['sort'], line: string, links: string) => {
    const last = parts.at(-1);
    if (line.trim() === '' && links === '') return;
    if (last?.sort === sort)
      parts[parts.length - 1] = { ...last, text: `${last.text}\n${line}`, links: `${last.links} ${links}` };
    else parts.push({ text: line, links, weight: WEIGHTS[sort], sort });
  };
  let isCode = false;
  let isMachine = false;
  const lines = text.replace(COMMENT, '').split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  for (const [i, raw] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(raw)) {
      isCode = !isCode;
      continue;
    }
    if (!isCode && HEADING.test(raw)) isMachine = MACHINE.test(raw);
    const links: string[] = [];
    const withoutLinks = () =>
      raw.replace(LINK, (_whole, label = '', target = '', address = '') => {
        links.push(target, address);
        return ` ${label} `;
      });
    const line = isCode ? raw : withoutLinks();
    const found = links.join(' ').trim();
    if (i === first) add('title', line, found);
    else if (FRAME.test(line) || LOG.test(line)) add('trace', line, found);
    else if (isMachine) continue;
    else if (isCode || /^(?: {4}|\t)\S/.test(line)) add('code', line, found);
    else if (!FORM.test(line.trim().slice(0, MAX_FORM_CHARACTERS))) add('prose', line, found);
  }
  return parts;
}
