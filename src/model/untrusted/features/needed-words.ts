/**
 * Finds in one pass the features for which a text has the needed words. Most texts have them for few features, and only
 * those are tried.
 */
import { INSTRUCTION_FEATURES } from './instruction-features.ts';

/** The lists of needed words; the index of a list is its number. */
const lists = INSTRUCTION_FEATURES.flatMap(({ needs = [] }, feature) => needs.map((words) => ({ feature, words })));
let numbersOf: ReadonlyMap<string, readonly number[]> | undefined;

/** For each feature of the table: whether the text has the words that the feature needs. */
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
