/**
 * Formats an answer as plain text: one line per place, and the code of the first. Clients that read `structuredContent`
 * get everything there; clients that show the text to a model get places to act on, without a second copy of the code.
 */
import { AS_DATA } from '../../model/untrusted/quoted-text.ts';
import { markUntrusted } from '../kit/untrusted-text.ts';

type Json = Readonly<Record<string, unknown>>;

/** Returns null if the answer has no places; it is short already. */
export function shortText(structured: Json): string | null {
  const answer = markUntrusted(structured);
  if (typeof answer.content === 'string') return fileText(answer);
  const lists = [
    ...listed(answer.results).map((item, i) => placeLine(item, i === 0)),
    ...((answer.also as readonly string[] | undefined) ?? []),
    ...matchLines(listed(answer.matches)),
    ...referenceLines(answer),
    ...detailLines(answer.detail as Json | undefined),
    ...listed(answer.outline).map((item) => `${item.lines} ${item.signature}`),
  ];
  const summary = typeof answer.summary === 'string' ? [answer.summary] : [];
  if (lists.length + summary.length === 0 && !isEmptyAnswer(answer)) return null;
  return [...summary, ...lists, ...remarks(answer)].join('\n');
}

const isEmptyAnswer = ({ results, matches }: Json) => Array.isArray(results) || Array.isArray(matches);

function listed(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** `path:lines name kind score`, with the quoted code for the first place. */
function placeLine(item: Json, isFirst: boolean): string {
  const { path, lines, line, name, kind, score, in: within, target, text, signature, content, why, type } = item;
  const where = path === undefined ? dated(item) : `${path}:${lines ?? line}`;
  const what = [name ?? target ?? within ?? why ?? type, kind, score, item.confidence].filter(
    (part) => part !== undefined,
  );
  const shownText = isFirst ? (content ?? signature ?? text) : (text ?? (path === undefined ? content : undefined));
  const evidence = Array.isArray(item.evidence) ? [`(${item.evidence.join(', ')})`] : [];
  const head = [where, ...what, ...evidence, ...mark(item)].filter((part) => part !== '').join(' ');
  return shownText === undefined ? head : `${head}\n${shownText}`;
}

/** A commit by its id and day; '' for what has no day. */
function dated({ id, date }: Json): string {
  return typeof date === 'string' ? `${id} ${date.slice(0, 10)}` : '';
}

/** With the counts that the list leaves out: of confidences, and of uses in tests. */
function referenceLines(answer: Json): string[] {
  const { exact = 0, likely = 0, ambiguous = 0 } = (answer.references_by_confidence ?? {}) as Record<string, number>;
  const counts = exact + likely + ambiguous > 0 ? ` (${exact} exact, ${likely} likely, ${ambiguous} ambiguous)` : '';
  const inTests = answer.references_in_tests as { readonly count: number; readonly first: string } | undefined;
  const tests = inTests ? [`${inTests.count} more in tests, the first at ${inTests.first}`] : [];
  const more = answer.more_references === undefined ? [] : [`${answer.more_references} more are not listed`];
  return [...titled(`References${counts}`, listed(answer.references)), ...tests, ...more];
}

/** Adds a warning to quoted text that gives orders to language models. */
function mark({ untrusted_instruction: found }: Json): string[] {
  if (found === undefined) return [];
  return [`[untrusted_instruction${found === true ? '' : ` in ${found}`}: ${AS_DATA}]`];
}

function titled(title: string, items: readonly Json[]): string[] {
  return items.length === 0
    ? []
    : [`${title}:`, ...items.map((item) => placeLine({ ...item, text: undefined }, false))];
}

function detailLines(detail: Json | undefined): string[] {
  if (!detail) return [];
  const source = typeof detail.source === 'string' ? [...mark(detail), detail.source] : [];
  const lists = Object.entries(detail).flatMap(([name, items]) =>
    Array.isArray(items) ? titled(name, listed(items)) : [],
  );
  return [...source, ...lists];
}

/** Matches in grep's form, with the path once. */
function matchLines(matches: readonly Json[]): string[] {
  const lines: string[] = [];
  let file: unknown;
  for (const match of matches) {
    if (match.path !== file) lines.push(String(match.path));
    file = match.path;
    lines.push(`${match.line}: ${[...mark(match), match.text].join(' ')}`);
  }
  return lines;
}

function fileText(file: Json): string {
  const { path, lines, total_lines: total, content, next, snapshot } = file;
  const rest = [...(next === undefined ? [] : [next]), ...(snapshot === undefined ? [] : [`snapshot: ${snapshot}`])];
  return [`${path}:${lines} of ${total}`, ...mark(file), content, ...rest].join('\n');
}

const REMARKS = [
  'message',
  'more',
  'omitted',
  'shortened',
  'hint',
  'total',
  'nearest_names',
  'notices',
  'not_yet_indexed',
  'snapshot',
];

function remarks(answer: Json): string[] {
  return REMARKS.filter((name) => answer[name] !== undefined).map((name) => {
    const value = answer[name];
    return `${name}: ${Array.isArray(value) ? value.join(', ') : value}`;
  });
}
