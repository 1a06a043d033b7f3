/** Collects the words of a query: weighted terms, identifiers and compounds. */
import type { QueryIntent } from '../../model/records/query.ts';
import { forEachIdentifier, identifierTerms, nameKey } from '../../model/text/terms.ts';

export interface QueryTerm {
  readonly term: string;
  /** 1 for a word; less for a stop word, a filled-in value or a whole identifier, whose parts count too. */
  readonly weight: number;
  /** Other forms of the word that the repository uses: each counts as the word. */
  readonly forms?: readonly string[];
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be been being between but by can could did do does doing for from get gets had has ' +
    'have having how i if in into is it its itself just like make makes me my need of on or our out over should so ' +
    'some such than that the their them then there these they this those through to under up use used uses using ' +
    'via was we were what when where which while who why will with within without would you your all each every ' +
    'during about code implement implementation implemented function class method file handle handled handling ' +
    'work works'
  ).split(' '),
);
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Stop words weigh a little, because the question may be about one of them. */
const STOP_WEIGHT = 0.12;
const WHOLE_WEIGHT = 0.8;
/** Weight of a word inside a value that a program filled into a message. */
const VALUE_WEIGHT = 0.2;
/** With fewer other words, a number is what the message is about. */
const MIN_MESSAGE_WORDS = 4;

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface QueryTerms {
  readonly terms: readonly QueryTerm[];
  readonly identifiers: readonly string[];
  readonly words: readonly string[];
  readonly compounds: readonly string[];
}

/** `values`: spans of values that a program filled in (query-intent.ts). */
export function collectTerms(text: string, intent: QueryIntent, values: readonly Span[]): QueryTerms {
  const weights = new Map<string, number>();
  const numbers: string[] = [];
  const identifiers: string[] = [];
  const words: string[] = [];
  // Runs of words between stop words: compounds do not cross stop words.
  const runs: string[][] = [[]];
  const add = (term: string, weight: number) => {
    if (term) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  };
  forEachIdentifier(text, (identifier, index) => {
    const { parts, whole } = identifierTerms(identifier);
    if (values.some(({ start, end }) => index >= start && index < end)) {
      for (const part of parts) add(part, VALUE_WEIGHT);
      return;
    }
    const isStop = STOP_WORDS.has(identifier.toLowerCase());
    // A capitalised word inside a sentence is a name: "the Router class".
    const isName = !isStop && index > 0 && /^[A-Z][a-z]+$/.test(identifier);
    if (isIdentifierLike(identifier) || isName) identifiers.push(identifier);
    for (const part of parts) add(part, isStop ? STOP_WEIGHT : 1);
    add(whole, WHOLE_WEIGHT);
    if (/^\d+$/.test(identifier)) numbers.push(...parts);
    if (isStop) runs.push([]);
    else {
      words.push(nameKey(identifier));
      runs.at(-1)!.push(nameKey(identifier));
    }
  });
  // Times, ports and sizes in a message are specific to one run.
  if (intent === 'error' && words.length - numbers.length >= MIN_MESSAGE_WORDS)
    for (const number of numbers) weights.set(number, STOP_WEIGHT);
  // In a query of stop words only, each has full weight.
  const all = [...weights].map(([term, weight]) => ({ term, weight }));
  const terms = all.some(({ weight }) => weight > STOP_WEIGHT) ? all : all.map(({ term }) => ({ term, weight: 1 }));
  identifiers.sort((a, b) => b.length - a.length);
  return {
    terms,
    identifiers: [...new Set(identifiers)],
    words: [...new Set(words)].filter(Boolean),
    compounds: compoundsOf(runs),
  };
}

function compoundsOf(runs: readonly (readonly string[])[]): string[] {
  const compounds = new Set<string>();
  for (const size of [3, 2]) {
    for (const run of runs) {
      for (let i = 0; i + size <= run.length; i++) {
        const compound = run.slice(i, i + size).join('');
        compounds.add(compound);
        // "rate limits" means rate_limit as well.
        if (compound.endsWith('s')) compounds.add(compound.slice(0, -1));
      }
    }
  }
  return [...compounds];
}

/** Mixed case, underscores or digits inside a word mark an identifier. */
export function isIdentifierLike(word: string): boolean {
  return /[a-z][A-Z]|[A-Z]{2}[a-z]|\w_\w|^_\w|[A-Za-z]\d/.test(word) || /^[A-Z][A-Z0-9_]{2,}$/.test(word);
}
