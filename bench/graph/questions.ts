/**
 * Questions about structure with the expected answers, as data (questions.json). `has`: texts that the summary must
 * contain; `lacks`: texts that it must not contain; `first`: the text that the first listed place must contain.
 */
import { readFileSync } from 'node:fs';
import type { OpenGraph } from './open-graph.ts';

export interface QuestionSet {
  /** `owner/name` as on GitHub. */
  readonly repository: string;
  readonly questions: readonly {
    readonly ask: string;
    readonly has?: readonly string[];
    readonly lacks?: readonly string[];
    readonly first?: string;
    readonly depth?: number;
  }[];
}

export interface Answered {
  readonly question: string;
  /** What is wrong with the answer; empty for a right one. */
  readonly missing: readonly string[];
}

export function readQuestions(file: string): readonly QuestionSet[] {
  return JSON.parse(readFileSync(file, 'utf8')).repositories;
}

export async function askQuestions({ engine, root }: OpenGraph, { questions }: QuestionSet): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const { ask, has = [], lacks = [], first, depth } of questions) {
    const { summary } = await engine.research(root, { query: ask, ...(depth && { depth }) });
    const listed = /^ *(?:-|\d+\.) (.*)$/m.exec(summary)?.[1] ?? '';
    answered.push({
      question: ask,
      missing: [
        ...has.filter((text) => !summary.includes(text)).map((text) => `lacks "${text}"`),
        ...lacks.filter((text) => summary.includes(text)).map((text) => `has "${text}"`),
        ...(first && !listed.includes(first) ? [`first is "${listed}", not "${first}"`] : []),
      ],
    });
  }
  return answered;
}
