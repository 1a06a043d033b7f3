/**
 * Which features a text has the words for, found in one pass: most texts have the words for few, and only those are
 * looked for.
 */
import { INSTRUCTION_FEATURES } from './instruction-features.ts';

/** Each list of words that a feature needs one of has a number. */
const lists = INSTRUCTION_FEATURES.flatMap(({ needs = [] }, feature) => needs.map((words) => ({ feature, words })));
let numbersOf: ReadonlyMap<string, readonly number[]> | undefined;

/** By the place of the feature in the table. */
export function featuresWithWords(text: string): boolean[] {
  numbersOf ??= numberWords();
  const isThere = new Uint8Array(lists.length);
  for (const [word] of text.matchAll(/[a-z]+/g)) for (const number of numbersOf.get(word) ?? []) isThere[number] = 1;
  const isPossible = INSTRUCTION_FEATURES.map(() => true);
  lists.forEach(({ feature }, number) => {
    if (isThere[number] === 0) isPossible[feature] = false;
  });
  return isPossible;
}

function numberWords(): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  lists.forEach(({ words }, number) => {
    for (const word of words.split(' ')) numbers.set(word, [...(numbers.get(word) ?? []), number]);
  });
  return numbers;
}
