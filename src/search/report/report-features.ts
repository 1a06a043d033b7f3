/** What a pasted issue tells of a definition: its name, a frame or a line of it, what it says, whom it calls. */
import type { SymbolRecord } from '../../model/records/symbol.ts';
import type { PointedAt, ReportMatch } from './match-report.ts';
import { type ReportEvidence, wordsOf } from './report-evidence.ts';

export interface Report {
  readonly evidence: ReportEvidence;
  readonly match: ReportMatch;
}

/** Words that a message and a definition have in the same order are no coincidence from so many on. */
const RUN_WORDS = 3;
/** Of a message that a program filled in, half of the runs are the program's own. */
const OWN_RUN_SHARE = 0.5;
const CALLED = /([A-Za-z_$][\w$]*)\s*\(/g;
const MIN_CALLED_CHARACTERS = 4;

export function nameInReport({ evidence }: Report, name: string): number {
  return evidence.names.get(name) ?? 0;
}

/** A frame that names the function, or else one whose line it has: lines move from version to version. */
export function frameOf({ match }: Report, file: number, { name, startLine, endLine }: SymbolRecord): number {
  let best = 0;
  for (const { strength, firstLine, inside } of match.frames.get(file) ?? []) {
    const share = inside === name ? 1 : inside === '' && startLine <= firstLine && firstLine <= endLine ? 0.5 : 0;
    best = Math.max(best, strength * share);
  }
  return best;
}

/** Lines of a link, of which the definition has some; longer definitions have most lines by chance. */
export function linkedLines({ match }: Report, file: number, { startLine, endLine }: SymbolRecord): number {
  const overlaps = ({ firstLine, lastLine }: PointedAt) =>
    firstLine > 0 && startLine <= lastLine && firstLine <= endLine;
  return Math.max(0, ...(match.files.get(file) ?? []).filter(overlaps).map(({ strength }) => strength));
}

/** The runs of words of each message; one of fewer words is one run. */
export function messageRuns({ messages }: ReportEvidence): readonly (readonly string[])[] {
  return messages.map((message) => {
    const words = message.split(' ');
    const runs: string[] = [];
    for (let i = 0; i + RUN_WORDS <= words.length; i++) runs.push(words.slice(i, i + RUN_WORDS).join(' '));
    return runs;
  });
}

/** How much of a message a text says, 0..1. */
export function saysMessage(text: string, messages: readonly (readonly string[])[]): number {
  if (messages.length === 0) return 0;
  const said = ` ${wordsOf(text).join(' ')} `;
  let best = 0;
  for (const runs of messages) {
    const found = runs.filter((run) => said.includes(` ${run} `)).length;
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
/** More names in one text add less. */
const SATURATION = 2;

/** How many of the report's names a text has beside its own, by how much they count. */
export function namesInText({ names }: ReportEvidence, text: string, own: string): number {
  const found = new Set<string>();
  let sum = 0;
  for (const [name] of text.matchAll(IDENTIFIER)) {
    if (name === own || found.has(name)) continue;
    const weight = names.get(name);
    if (weight === undefined) continue;
    found.add(name);
    sum += weight;
  }
  return 1 - Math.exp(-sum / SATURATION);
}
