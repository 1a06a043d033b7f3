/** The labelled questions about what three public repositories know, and the repositories themselves. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContextResult } from '../src/model/records/discovery.ts';

interface Place {
  readonly path?: string;
  readonly lines?: readonly [number, number];
  readonly commit?: string;
}
export interface Question {
  readonly kind: 'why' | 'allowed' | 'seen';
  readonly question: string;
  readonly half: 'tuning' | 'held';
  readonly answers: readonly Place[];
}
export interface Repository {
  readonly name: string;
  readonly repository: string;
  readonly commit: string;
  readonly questions: readonly Question[];
}
export function loadRepositories(): readonly Repository[] {
  const file = join(dirname(fileURLToPath(import.meta.url)), 'memory-questions.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly repositories: readonly Repository[] }).repositories;
}

export function isAnswer(result: ContextResult, { answers }: Question): boolean {
  return answers.some((place) => stands(result, place));
}

function stands(result: ContextResult, place: Place): boolean {
  return result.evidence.some(({ path, startLine, endLine, commit }) => {
    if (place.commit) return commit === place.commit;
    if (path !== place.path) return false;
    if (!place.lines || startLine === undefined) return !place.lines;
    return startLine <= place.lines[1] && (endLine ?? startLine) >= place.lines[0];
  });
}

/** A clone at the commit that the questions were written for. */
export function layOut(parent: string, { name, repository, commit }: Repository): string {
  const folder = join(parent, name);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  if (!existsSync(folder)) {
    mkdirSync(parent, { recursive: true });
    execFileSync('git', ['clone', '-q', `https://github.com/${repository}.git`, folder], { stdio: 'inherit' });
  }
  if (git('rev-parse', 'HEAD') !== commit) git('checkout', '-q', commit);
  return folder;
}
