/**
 * Questions about large repositories, each with the functions that answer it: bench/questions/NAME.json. The questions
 * were written from the code and checked against it by hand. Half of the repositories are `kept`: measure them, tune
 * nothing on them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'questions');

export type Split = 'open' | 'kept';
export interface Expected {
  readonly path: string;
  /** The names from the outermost type to the function, joined with dots: `Scheduler.tick`. */
  readonly symbol: string;
}
export interface FunctionQuestion {
  /** Name of the file that holds the question, and of the repository's folder. */
  readonly name: string;
  /** Owner and name on GitHub. */
  readonly repo: string;
  readonly revision: string;
  readonly split: Split;
  readonly question: string;
  /** Any of them is a right answer. */
  readonly expected: readonly Expected[];
}

interface QuestionFile {
  readonly repo: string;
  readonly revision: string;
  readonly split: Split;
  readonly questions: readonly { readonly question: string; readonly expected: readonly Expected[] }[];
}

export function loadFunctionQuestions(split?: Split): FunctionQuestion[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => {
      const { questions, ...about } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as QuestionFile;
      const name = file.slice(0, -'.json'.length);
      return questions.map((question) => ({ name, ...about, ...question }));
    })
    .filter((question) => split === undefined || question.split === split);
}

/**
 * Whether the symbol of a result in `path` is one that the question expects there. `qualifiedName` includes the
 * enclosing types.
 */
export function isExpected(path: string, qualifiedName: string | undefined, expected: readonly Expected[]): boolean {
  const full = `.${(qualifiedName ?? '').replace(/::|[#\\/]/g, '.')}`;
  return expected.some((one) => one.path === path && full.endsWith(`.${one.symbol}`));
}
