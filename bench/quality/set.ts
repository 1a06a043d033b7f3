/**
 * The retrieval benchmark's open half as data, and its way of scoring: repos.json and annotations/ in one folder,
 * laid-out repositories in another.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Target {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
}
export interface Question {
  readonly repository: string;
  readonly language: string;
  readonly query: string;
  readonly category: string;
  readonly targets: readonly Target[];
}
export interface Place {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

interface RawTarget {
  readonly path?: string;
  readonly file?: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly start?: number;
  readonly end?: number;
}

export function loadQuestions(benchFolder: string, layoutFolder: string): { questions: Question[]; missing: string[] } {
  const repositories = JSON.parse(readFileSync(join(benchFolder, 'repos.json'), 'utf8')) as {
    name: string;
    language: string;
  }[];
  const questions: Question[] = [];
  const missing: string[] = [];
  for (const { name, language } of repositories) {
    if (!existsSync(join(layoutFolder, name))) {
      missing.push(name);
      continue;
    }
    const raw = JSON.parse(readFileSync(join(benchFolder, 'annotations', `${name}.json`), 'utf8')) as {
      query: string;
      category: string;
      relevant: (string | RawTarget)[];
      secondary?: (string | RawTarget)[];
    }[];
    for (const { query, category, relevant, secondary } of raw) {
      questions.push({
        repository: name,
        language,
        query,
        category,
        targets: [...relevant, ...(secondary ?? [])].map(targetOf),
      });
    }
  }
  return { questions, missing };
}

function targetOf(raw: string | RawTarget): Target {
  if (typeof raw === 'string') return { path: raw };
  const startLine = raw.start_line ?? raw.start;
  const endLine = raw.end_line ?? raw.end;
  return {
    path: raw.path ?? raw.file ?? '',
    ...(startLine !== undefined && endLine !== undefined ? { startLine, endLine } : {}),
  };
}

export function covers(place: Place, target: Target): boolean {
  const same =
    place.path === target.path || place.path.endsWith(`/${target.path}`) || target.path.endsWith(`/${place.path}`);
  if (!same) return false;
  return target.startLine === undefined || (place.startLine <= target.endLine! && place.endLine >= target.startLine);
}

/** NDCG@10 with binary gain: a target counts at the first place that covers it, distinct ranks once. */
export function ndcg(places: readonly Place[], targets: readonly Target[]): number {
  const ranks = new Set<number>();
  for (const target of targets) {
    const at = places.slice(0, 10).findIndex((place) => covers(place, target));
    if (at >= 0) ranks.add(at + 1);
  }
  const gain = (rank: number) => 1 / Math.log2(rank + 1);
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(10, targets.length); rank++) ideal += gain(rank);
  return ideal === 0 ? 0 : [...ranks].reduce((sum, rank) => sum + gain(rank), 0) / ideal;
}
