/**
 * Extracts from a pasted issue what points into the code: files and lines in traces, links and prose, names, modules
 * and messages. Pure.
 */
import { pattern } from '../../model/text/pattern.ts';
import { FILE_ENDINGS } from '../query/query-intent.ts';
import { collectTerms, isIdentifierLike } from '../query/query-terms.ts';
import type { ReportPart } from './read-report.ts';

export interface NamedFile {
  /** Folders and name of the path, outermost first. */
  readonly parts: readonly string[];
  /** 0 without a line number. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The function that a trace frame names; '' without one. */
  readonly inside: string;
}

export interface ReportEvidence {
  /** Frames of traces, innermost first. */
  readonly frames: readonly NamedFile[];
  /** Files that links and sentences name. */
  readonly files: readonly NamedFile[];
  /** Names as written with their weights, 0..1, heaviest first. */
  readonly names: ReadonlyMap<string, number>;
  /** Dotted names such as `jax.experimental.pallas`, split into parts. */
  readonly modules: readonly (readonly string[])[];
  /** Terms of the title without stop words. */
  readonly title: ReadonlySet<string>;
  /** Messages of the program: lower-case words, joined by spaces. */
  readonly messages: readonly string[];
}

/** A term of the title counts from this weight on; stop words weigh less. */
const MIN_TITLE_WEIGHT = 0.5;
const MAX_FILES = 24;
const MAX_NAMES = 40;
const MAX_MODULES = 16;
const MAX_MESSAGES = 6;
const MIN_MESSAGE_WORDS = 3;
const MAX_MESSAGE_WORDS = 40;

/** Weight of a name by the part of the issue that contains it. */
const WEIGHTS = { title: 1, prose: 0.9, code: 0.5, trace: 0.3 } as const;
/** Weight factor of a word that only backticks or a call mark as a name. */
const MARKED = 0.7;

/** A path with lines: `d/f.py", line 12, in total`, `d/f.py:12 in total`, `d/f.ts:12:5`, `…/d/f.py#L12-L20`. */
const FILE = new RegExp(
  `([\\w@+~$./\\\\-]{0,160}\\.(?:${FILE_ENDINGS}))(?![\\w/]|\\.\\w)` +
    '(?:(?:"?, line |:line | on line |:|#L)(\\d+)(?:-L?(\\d+))?(?::\\d+)?(?:,? in ([\\w<>]+))?)?',
  'gi',
);
const TRACE_OF_PYTHON = /File "|Traceback \(|\.py:\d+ in /;
const DOTTED = /(?<![\w./\\@-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+/g;
const MARKED_NAME = /`([A-Za-z_][\w.]*)(?:\(\))?`|(?<![\w.])([A-Za-z_]\w{2,})\(/g;
const WORD = /[A-Za-z_$][\w$]*/g;
const MESSAGE = pattern('gm')`
    ^[ \t│|>]*(?:[\w.]*(?:Error|Exception|Warning)|ERROR|WARNING|error|fatal)\b:?[ \t]+(\S.{8,400})$
    |"([^"\n]{12,300})"|'([^'\n]{12,300})'|\x60([^\x60\n]{12,300})\x60
  `;

export function reportEvidence(parts: readonly ReportPart[]): ReportEvidence {
  const frames: NamedFile[] = [];
  const files: NamedFile[] = [];
  const names = new Map<string, number>();
  const modules = new Map<string, readonly string[]>();
  const messages = new Set<string>();
  const note = (name: string, weight: number) => {
    if (name.length > 2) names.set(name, Math.max(names.get(name) ?? 0, weight));
  };
  for (const { text, links, sort } of parts) {
    const found = filesIn(text);
    const isTrace = sort === 'trace' || found.some(({ inside }) => inside !== '');
    // Python prints the innermost frame last.
    if (isTrace) frames.push(...(TRACE_OF_PYTHON.test(text) ? found.reverse() : found));
    else files.push(...found);
    files.push(...filesIn(links));
    namesIn(text, sort, note);
    for (const [dotted] of text.matchAll(DOTTED)) modules.set(dotted, dotted.split('.'));
    for (const [, ...groups] of text.matchAll(MESSAGE)) {
      const words = wordsOf(groups.find(Boolean) ?? '');
      if (words.length >= MIN_MESSAGE_WORDS) messages.add(words.slice(0, MAX_MESSAGE_WORDS).join(' '));
    }
  }
  return {
    frames: frames.slice(0, MAX_FILES),
    files: files.slice(0, MAX_FILES),
    names: new Map([...names].sort((a, b) => b[1] - a[1]).slice(0, MAX_NAMES)),
    modules: [...modules.values()].slice(0, MAX_MODULES),
    messages: [...messages].slice(0, MAX_MESSAGES),
    title: titleOf(parts),
  };
}

function titleOf(parts: readonly ReportPart[]): ReadonlySet<string> {
  const { terms } = collectTerms(parts.find(({ sort }) => sort === 'title')?.text ?? '', 'natural_language', []);
  return new Set(terms.flatMap(({ term, weight }) => (weight > MIN_TITLE_WEIGHT ? [term] : [])));
}

function filesIn(text: string): NamedFile[] {
  return [...text.matchAll(FILE)].map(([, path = '', first = '0', last = first, inside = '']) => ({
    parts: path.split(/[/\\]/).filter((part) => !/^\.{0,2}$/.test(part)),
    firstLine: Number(first),
    lastLine: Number(last),
    inside,
  }));
}

function namesIn(text: string, sort: ReportPart['sort'], note: (name: string, weight: number) => void): void {
  const weight = WEIGHTS[sort];
  for (const [word] of text.matchAll(WORD)) if (isIdentifierLike(word)) note(word, weight);
  for (const [, marked, called] of text.matchAll(MARKED_NAME))
    for (const name of (marked ?? called ?? '').split('.')) note(name, MARKED * weight);
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
