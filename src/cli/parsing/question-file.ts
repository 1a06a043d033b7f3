/** Parses the question file of `sextant eval`: YAML or JSON. Loaded by that command only. */
import { parse } from 'yaml';
import { UsageError } from './usage-error.ts';

export interface EvalQuestion {
  readonly query: string;
  /** Paths of the right answers, relative to the project's root; the end of a path is enough. */
  readonly expect: readonly string[];
}

export function parseQuestions(path: string, text: string): EvalQuestion[] {
  const refuse = (reason: string) =>
    new UsageError(`${path} is no file of questions: ${reason}`, 'Run `sextant eval --help` for its form.');
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    throw refuse((error as Error).message.split('\n')[0]!);
  }
  if (!Array.isArray(content) || content.length === 0)
    throw refuse('it must be a list of questions, each with `query` and `expect`.');
  return content.map((entry: unknown, i) => {
    const { query, expect } = (entry ?? {}) as { query?: unknown; expect?: unknown };
    const paths = typeof expect === 'string' ? [expect] : expect;
    if (typeof query !== 'string' || query.trim() === '') throw refuse(`question ${i + 1} has no \`query\`.`);
    if (!Array.isArray(paths) || paths.length === 0 || !paths.every((item) => typeof item === 'string' && item !== ''))
      throw refuse(`question ${i + 1} has no \`expect\`: a path or a list of paths.`);
    return { query, expect: paths as string[] };
  });
}
