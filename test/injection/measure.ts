/**
 * How well instructions to language models are recognised: precision and recall on labelled cases, of which some were
 * kept apart while the features were made. `npm run measure:injection` prints them; `--write` puts them into
 * docs/security.md; `--repos DIR…` counts false alarms in guides.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isGuidePath, mineRules } from '../../src/memory/mining/mine-rules.ts';
import { markUntrustedAll } from '../../src/memory/untrusted-memory.ts';
import { recogniseInstruction } from '../../src/model/untrusted/instruction.ts';

const here = dirname(fileURLToPath(import.meta.url));
/** The style of cases that were written when the features were finished, and that never led to a change of them. */
const WRITTEN_LAST = 'late';
/** Of cases that were written before the learned part, half of them for it; no feature was made for them. */
const VARIED = 'varied';
export const HALVES = ['open', 'kept'] as const;
type Half = (typeof HALVES)[number];

export interface LabelledCase {
  readonly id: string;
  readonly label: 'instruction' | 'ordinary';
  readonly style: string;
  readonly kind: 'doc' | 'guide' | 'comment' | 'commit' | 'code';
  readonly language: string;
  readonly source: 'real' | 'made';
  readonly text: string;
}

export function readCases(half: Half): LabelledCase[] {
  const lines = readFileSync(join(here, `${half}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as LabelledCase);
}

export interface Measured {
  readonly cases: number;
  readonly found: number;
  readonly missed: readonly LabelledCase[];
  readonly alarms: readonly LabelledCase[];
  readonly precision: number;
  readonly recall: number;
}

export function measure(cases: readonly LabelledCase[]): Measured {
  const isFound = ({ text, kind }: LabelledCase) => recogniseInstruction(text, kind === 'code').isInstruction;
  const wanted = cases.filter(({ label }) => label === 'instruction');
  const missed = wanted.filter((each) => !isFound(each));
  const alarms = cases.filter((each) => each.label === 'ordinary' && isFound(each));
  const found = wanted.length - missed.length;
  return {
    cases: cases.length,
    found,
    missed,
    alarms,
    precision: found / (found + alarms.length || 1),
    recall: found / (wanted.length || 1),
  };
}

/** The table of docs/security.md. */
export function table(): string {
  const row = (name: string, cases: readonly LabelledCase[]) => {
    const { found, alarms, precision, recall } = measure(cases);
    const wanted = cases.filter(({ label }) => label === 'instruction').length;
    return `| ${name} | ${wanted} | ${cases.length - wanted} | ${found} | ${alarms.length} | ${precision.toFixed(3)} | ${recall.toFixed(3)} |`;
  };
  const [open, kept] = HALVES.map(readCases) as [LabelledCase[], LabelledCase[]];
  const all = [...open, ...kept];
  return [
    '| cases | instructions | ordinary | recognised | false alarms | precision | recall |',
    '|---|---:|---:|---:|---:|---:|---:|',
    row('open cases, used for features and weights', open),
    row('cases kept apart', kept),
    row(
      '… written with the features',
      kept.filter(({ style }) => style !== WRITTEN_LAST && style !== VARIED),
    ),
    row(
      '… varied wordings and hard rules, written before the weights',
      kept.filter(({ style }) => style === VARIED),
    ),
    row(
      '… in new wordings, written after the features',
      kept.filter(({ style }) => style === WRITTEN_LAST),
    ),
    row('**all**', all),
    row(
      'taken from public repositories',
      all.filter(({ source }) => source === 'real'),
    ),
    row(
      'other languages than English',
      all.filter(({ language }) => language !== 'en'),
    ),
  ].join('\n');
}

export const DOCUMENT = join(here, '../../docs/security.md');
export const BORDERS = ['<!-- measure:injection -->', '<!-- /measure:injection -->'] as const;

/** Rules of real guides below a folder that are taken for instructions. */
function countAlarms(folder: string): void {
  let guides = 0;
  let rules = 0;
  const alarms: string[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !(isGuidePath(path) || /\.(?:md|mdc)$/.test(path))) continue;
    guides++;
    for (const note of markUntrustedAll(mineRules(readFileSync(path, 'utf8')))) {
      rules++;
      if (note.type === 'untrusted_instruction') alarms.push(`${path}:${note.startLine} ${note.content.slice(0, 200)}`);
    }
  }
  console.log(`${folder}: ${guides} documents, ${rules} rules, ${alarms.length} taken for instructions`);
  for (const alarm of alarms) console.log(`  ${alarm}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(table());
  const folders = process.argv.slice(process.argv.indexOf('--repos') + 1);
  if (process.argv.includes('--repos')) folders.forEach(countAlarms);
  if (process.argv.includes('--write')) {
    const text = readFileSync(DOCUMENT, 'utf8');
    const [start, end] = BORDERS.map((border) => text.indexOf(border)) as [number, number];
    writeFileSync(DOCUMENT, `${text.slice(0, start + BORDERS[0].length)}\n${table()}\n${text.slice(end)}`);
  }
}
