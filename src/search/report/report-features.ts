/** Features of a definition for a pasted issue: its name, trace frames, linked lines, messages and calls. */
import type { SymbolRecord } from '../../model/records/symbol.ts';
import type { PointedAt, ReportMatch } from './match-report.ts';
import { type ReportEvidence, wordsOf } from './report-evidence.ts';

export interface Report {
  readonly evidence: ReportEvidence;
  readonly match: ReportMatch;
}

/** A shorter run of common words may be a coincidence. */
const RUN_WORDS = 3;
/** In a message with filled-in values, about half of the runs come from the source code. */
const OWN_RUN_SHARE = 0.5;
const CALLED = /([A-Za-z_$][\w$]*)\s*\(/g;
const MIN_CALLED_CHARACTERS = 4;

export function nameInReport({ evidence }: Report, name: string): number {
  return evidence.names.get(name) ?? 0;
}

/**
 * Strength of the frames in a definition. A frame's function name counts fully, its line number half: lines move from
 * version to version.
 */
export function frameOf({ match }: Report, file: number, { name, startLine, endLine }: SymbolRecord): number {
  let best = 0;
  for (const { strength, firstLine, inside } of match.frames.get(file) ?? []) {
    const share = inside === name ? 1 : inside === '' && startLine <= firstLine && firstLine <= endLine ? 0.5 : 0;
    best = Math.max(best, strength * share);
  }
  return best;
}

/** Strength of the links to lines that overlap the definition. */
export function linkedLines({ match }: Report, file: number, { startLine, endLine }: SymbolRecord): number {
  const overlaps = ({ firstLine, lastLine }: PointedAt) =>
    firstLine > 0 && startLine <= lastLine && firstLine <= endLine;
  return Math.max(0, ...(match.files.get(file) ?? []).filter(overlaps).map(({ strength }) => strength));
}

/** By message, its runs of RUN_WORDS words. */
export function messageRuns({ messages }: ReportEvidence): readonly (readonly string[])[] {
  return messages.map((message) => {
    const words = message.split(' ');
    const runs: string[] = [];
    for (let i = 0; i + RUN_WORDS <= words.length; i++) runs.push(words.slice(i, i + RUN_WORDS).join(' '));
    return runs;
  });
}

/** The largest share of a message that a text contains, 0..1. */
export function shareOfReportMessage(text: string, messages: readonly (readonly string[])[]): number {
  if (messages.length === 0) return 0;
  const textWords = ` ${wordsOf(text).join(' ')} `;
  let best = 0;
  for (const runs of messages) {
    const found = runs.filter((run) => textWords.includes(` ${run} `)).length;
    best = Math.max(best, Math.min(1, found / runs.length / OWN_RUN_SHARE));
  }
  return best;
}

export function calledNames(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, name] of text.matchAll(CALLED)) if (name!.length >= MIN_CALLED_CHARACTERS) names.add(name!);
  return names;
}

const IDENTIFIER = /[A-Za-z_$][\w$]*/g;
/** The summed weight of names at which namesInText returns 1 - 1/e. */
const SATURATION = 2;

/** Weight of the report's names in a text, 0..1; `ownName` is not counted. */
export function namesInText({ names }: ReportEvidence, text: string, ownName: string): number {
  const found = new Set<string>();
  let sum = 0;
  for (const [name] of text.matchAll(IDENTIFIER)) {
    if (name === ownName || found.has(name)) continue;
    const weight = names.get(name);
    if (weight === undefined) continue;
    found.add(name);
    sum += weight;
  }
  return 1 - Math.exp(-sum / SATURATION);
}
