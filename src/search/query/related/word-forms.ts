/**
 * Other forms of the query's words that the repository uses: "evicted" finds `eviction`, "autodetected" finds
 * `MigrationAutodetector`. Terms are stemmed lightly when they are indexed (terms.ts), so that forms of one verb meet
 * and different nouns stay apart; a form with another suffix is looked up here, for a word of the query only.
 */
import { findLiveChunk, type IndexedTree } from '../../indexed-tree.ts';
import type { Understood } from '../understand-query.ts';

/** Shorter roots are shared by unrelated words: `order` and `ordinal`. */
const MIN_ROOT = 4;
/**
 * Suffixes of stemmed terms, with the letters of the suffix that belong to the root and the shortest root allowed:
 * `statement` is not a form of `state`, so `ment` needs a longer root than the others.
 */
const SUFFIXES: readonly (readonly [suffix: string, kept: string, minRoot: number])[] = [
  ['abl', '', MIN_ROOT],
  ['ibl', '', MIN_ROOT],
  ['ment', '', 6],
  ['tten', 't', MIN_ROOT],
  ['tion', 't', MIN_ROOT],
  ['sion', 's', MIN_ROOT],
  ['val', 'v', MIN_ROOT],
  ['er', '', MIN_ROOT],
  ['or', '', MIN_ROOT],
];

/** The beginning that all forms of a word share; the term itself where it has no known suffix. */
export function wordRoot(term: string): string {
  if (!/^[a-z]+$/.test(term)) return term;
  let root = term;
  const found = SUFFIXES.find(([suffix]) => term.endsWith(suffix));
  if (found) {
    const [suffix, kept, minRoot] = found;
    const rest = term.slice(0, -suffix.length) + kept;
    if (rest.length >= minRoot) root = rest;
  }
  // `allocation` is stemmed to `allocat`; `format` is no form of `form`.
  if (root.endsWith('at') && root.length > 6) root = root.slice(0, -2);
  return root.endsWith('e') && root.length > MIN_ROOT ? root.slice(0, -1) : root;
}

/** What stemmed terms of one root end with. */
const ENDINGS = ['', 'er', 'or', 'abl', 'ibl', 'ment', 'ement', 'at', 'ator', 'ion', 'ten', 'al'];

/**
 * Terms of the repository that are other forms of `term`. Each possible form is looked up by itself: scanning the terms
 * that begin with the root took 3 of 7 ms of a question about 32 repositories.
 */
function formsOf(term: string, tree: IndexedTree): readonly string[] {
  const root = wordRoot(term);
  if (root.length < MIN_ROOT || !/^[a-z]+$/.test(root)) return [];
  return ENDINGS.map((ending) => root + ending).filter(
    (form) => form !== term && wordRoot(form) === root && findLiveChunk(tree, form) !== undefined,
  );
}

/** Adds to each word of the query its forms. A form that is itself a word of the query stays a word of its own. */
export function withForms(understood: Understood, tree: IndexedTree): Understood {
  const own = new Set(understood.terms.map(({ term }) => term));
  const terms = understood.terms.map((each) => {
    if (each.weight < 1) return each;
    const forms = formsOf(each.term, tree).filter((form) => !own.has(form));
    return forms.length === 0 ? each : { ...each, forms };
  });
  return { ...understood, terms };
}
