/**
 * Decides whether two statements are the same, contradict each other, or differ. Merging loses information, so doubtful
 * pairs stay separate: two statements are the same only if their vectors are near and neither has a content word or
 * detail in place of another.
 */
import { pattern } from '../../model/text/pattern.ts';
import { identifierTerms } from '../../model/text/terms.ts';
import { normalise } from '../notebook/discovery-file.ts';
import { statementWords, wordOverlap } from './memory-words.ts';

export type Relation = 'same' | 'contradicts' | 'other';

export interface Statement {
  /** Lower-case words of letters and digits, joined by spaces. */
  readonly text: string;
  readonly words: ReadonlySet<string>;
  /** Words other than function words, and numbers. */
  readonly contentWords: ReadonlySet<string>;
  /** All words as written, and their stems. */
  readonly tokens: ReadonlySet<string>;
  /** Parts of words written like names, and numbers. */
  readonly names: ReadonlySet<string>;
  /** The whole names in lower case: PostgreSQL and MySQL have a part in common. */
  readonly spellings: ReadonlySet<string>;
  readonly isNegated: boolean;
  /** Content words after a negation. */
  readonly negatedWords: ReadonlySet<string>;
}

/**
 * Minimum cosine of two equal statements, with the built-in model. Measured on statement-pairs.ts together with the
 * distinguishing words: none of 88 different pairs is merged, 34 of 42 repeated ones are found. Cosine alone would
 * merge "before" and "after" (0.95).
 */
const SAME_MEANING = 0.82;
/** Minimum share of common words of equal statements without vectors, and of statements about one subject. */
const SAME_WORDS = 0.85;
const RELATED = 0.5;
/** Minimum share of common words if a name, a number or an opposite is all that differs. */
const SAME_FRAME = 0.6;

const NEGATION = pattern('i')`
  \b(?:not|no|never|none|nothing|don't|doesn't|isn't|aren't|mustn't|shouldn't|avoid(?:ed|s)?|instead of|cannot|can't
  |without|stop|forbidden|forbids?|deprecated|disallow(?:ed)?)\b
`;

/** Words that may differ between two statements of the same content. */
const FUNCTION_WORDS = new Set(
  (
    'the and for are was were been being must have has had having will would should shall can could may might this ' +
    'that these those they their our its with from into onto when then than each every all any only does did doing ' +
    'done use used uses using via get gets got put puts take takes taken come comes goes need needs needed make ' +
    'makes made always never not which where while since because there here also both such very just follow ' +
    'follows live lives returns run runs running'
  )
    .split(' ')
    .flatMap((word) => identifierTerms(word).parts),
);

const OPPOSITES: readonly (readonly [string, string])[] = (
  'enable disable,enabled disabled,allow forbid,allow deny,allow block,accept reject,add remove,keep remove,keep ' +
  'drop,include exclude,before after,sync async,synchronously asynchronously,synchronous asynchronous,required ' +
  'optional,mandatory optional,public private,ascending descending,increase decrease,raise lower,first last,more ' +
  'less,most least,minimum maximum,start stop,open close,prefer avoid,eager lazy,mutable immutable,strict ' +
  'loose,safe unsafe,internal external,local remote,global local,single multiple,always sometimes,throw ' +
  'ignore,throw return,on off,up down,old new,fast slow,tab space,true false,fail pass,lock unlock,static ' +
  'dynamic,implicit explicit,inside outside,manual automatic,manually automatically,top bottom,left right,early ' +
  'late,valid invalid,visible hidden,show hide,same different'
)
  .split(',')
  .map((pair) => {
    const [a, b] = pair.split(' ').map((word) => identifierTerms(word).parts[0] ?? word);
    return [a!, b!] as const;
  });

/** Irregular forms with their base form, as stems. */
const FORMS: ReadonlyMap<string, string> = new Map(
  (
    'chosen choose,chose choose,kept keep,thrown throw,threw throw,sent send,written write,wrote write,built ' +
    'build,made make,held hold,found find,lost lose,broken break,broke break,began begin,begun begin,given ' +
    'give,gave give,taken take,took take,shown show,known know,knew know,drawn draw,led lead,left leave,meant ' +
    'mean,paid pay,said say,told tell,understood understand,went go,gone go,hidden hide,forgotten forget,forgot ' +
    'forget,caught catch,bound bind,spent spend,stood stand,frozen freeze,froze freeze'
  )
    .split(',')
    .map((pair) => {
      const [form, word] = pair.split(' ').map((each) => identifierTerms(each).parts[0] ?? each);
      return [form!, word!];
    }),
);

export function parseStatement(content: string): Statement {
  const text = normalise(content);
  const words = new Set([...statementWords(content)].map((word) => FORMS.get(word) ?? word));
  const tokens = text.split(' ');
  const numbers = tokens.filter((token) => /\d/.test(token));
  const written = findNames(content);
  return {
    text,
    words,
    contentWords: new Set([...[...words].filter((word) => !FUNCTION_WORDS.has(word)), ...numbers]),
    tokens: new Set([...tokens, ...words]),
    names: new Set([...written.flatMap((name) => identifierTerms(name).parts), ...numbers]),
    spellings: new Set([...written.map((name) => name.toLowerCase()), ...numbers]),
    isNegated: NEGATION.test(content),
    negatedWords: negatedWordsIn(content),
  };
}

/** Content words after each negation, up to the next punctuation mark. */
function negatedWordsIn(content: string): Set<string> {
  const negatedWords = new Set<string>();
  for (const match of content.matchAll(new RegExp(NEGATION, 'gi'))) {
    const [rest = ''] = content.slice(match.index + match[0].length).split(/[,;.:]/);
    for (const word of statementWords(rest)) if (!FUNCTION_WORDS.has(word)) negatedWords.add(FORMS.get(word) ?? word);
  }
  return negatedWords;
}

/** Words that are capitalised inside a sentence, or written like code. */
function findNames(content: string): string[] {
  const names: string[] = [];
  for (const match of content.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    const [word] = match;
    const before = content.slice(0, match.index).trimEnd();
    const beginsSentence = before === '' || /[.!?:]$/.test(before);
    if (/[_$\d]|\p{Ll}\p{Lu}/u.test(word) || (!beginsSentence && /^\p{Lu}/u.test(word))) names.push(word);
  }
  return names;
}

/** `similarity`: the cosine of their vectors; null if unknown. */
export function relate(a: Statement, b: Statement, similarity: number | null): Relation {
  if (a.text === b.text) return 'same';
  if (hasOtherNumberForm(a, b)) return 'contradicts';
  const share = wordOverlap(a.words, b.words);
  if (share < RELATED && (similarity ?? 0) < SAME_MEANING) return 'other';
  if (opposes(a, b, share)) return 'contradicts';
  const isNear = similarity === null ? share >= SAME_WORDS : similarity >= SAME_MEANING && share >= RELATED;
  return isNear && !differsInDetail(a, b) ? 'same' : 'other';
}

/** Ways to hold a number that exclude each other. */
const NUMBER_FORMS: readonly ReadonlySet<string>[] = [
  'cent cents integer integers int',
  'float floats floating double',
].map((words) => new Set(words.split(' ').flatMap((word) => [word, ...identifierTerms(word).parts])));

/** Words of a statement about such a form beside its subject: "stored in whole cents", "two decimals". */
const ABOUT_FORMS: ReadonlySet<string> = new Set(
  'store keep hold save represent express whole point number value decimal two dollar euro unit'
    .split(' ')
    .flatMap((word) => identifierTerms(word).parts),
);

/** A statement about money covers each kind of money, but statements about two kinds may differ. */
const MONEY = stems('money monetary amount currency');
const KINDS_OF_MONEY = stems('price fee refund payment salary invoice subtotal');

function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').flatMap((word) => identifierTerms(word).parts));
}

function isSaidOf(word: string, words: ReadonlySet<string>): boolean {
  const has = (others: ReadonlySet<string>) => [...others].some((other) => words.has(other));
  return (
    words.has(word) || (MONEY.has(word) ? has(MONEY) || has(KINDS_OF_MONEY) : KINDS_OF_MONEY.has(word) && has(MONEY))
  );
}

/** Numbers and what holds them: statements about them contradict each other without a word in common. */
export function namesNumberForm(text: string): boolean {
  return /\b(?:cents?|int(?:eger)?s?|float(?:s|ing)?|doubles?)\b/i.test(text);
}

/** "Prices are whole cents" and "prices are floats": the same thing, held in two ways. */
function hasOtherNumberForm(a: Statement, b: Statement): boolean {
  const [own, other] = [numberForms(a), numberForms(b)];
  if (own.length !== 1 || other.length !== 1 || own[0] === other[0]) return false;
  const subject = ({ contentWords }: Statement) =>
    new Set([...contentWords].filter((word) => !ABOUT_FORMS.has(word) && !NUMBER_FORMS.some((form) => form.has(word))));
  const [first, second] = [subject(a), subject(b)];
  const shared = [...first].filter((word) => isSaidOf(word, second)).length;
  // "user ids" and "user scores" share half of their words and are two subjects.
  return 2 * shared > Math.min(first.size, second.size);
}

/** Which forms a statement asks for; one that it denies is none. */
function numberForms({ words, negatedWords }: Statement): number[] {
  return NUMBER_FORMS.flatMap((form, i) =>
    [...words].some((word) => form.has(word) && !negatedWords.has(word)) ? [i] : [],
  );
}

function opposes(a: Statement, b: Statement, share: number): boolean {
  const [lackedByB, lackedByA] = [
    difference(a.contentWords, b.contentWords),
    difference(b.contentWords, a.contentWords),
  ];
  // Only names or numbers differ.
  const isRenamed =
    lackedByB.length > 0 &&
    lackedByA.length > 0 &&
    lackedByB.every((word) => a.names.has(word)) &&
    lackedByA.every((word) => b.names.has(word));
  // "Not in Markdown" agrees with "in AsciiDoc", and "in cents, not in floats" with "in cents".
  if (a.isNegated !== b.isNegated)
    return share >= RELATED && !isRenamed && !isUnrelatedNegation(a, b) && !isUnrelatedNegation(b, a);
  if (share < SAME_FRAME) return false;
  return (
    isRenamed ||
    differsInOneSpelling(a, b) ||
    OPPOSITES.some(([x, y]) => (usesOpposite(a, b, x, y) || usesOpposite(a, b, y, x)) && lackedByB.length <= 1)
  );
}

/** Whether the second statement contains none of the words that the first negates. */
function isUnrelatedNegation({ negatedWords }: Statement, { words }: Statement): boolean {
  return negatedWords.size > 0 && [...negatedWords].every((word) => !words.has(word));
}

/** Whether the sentences are equal except for the spelling of one name. */
function differsInOneSpelling(a: Statement, b: Statement): boolean {
  const [own, other] = [difference(a.spellings, b.spellings), difference(b.spellings, a.spellings)];
  if (own.length !== 1 || other.length !== 1) return false;
  const frame = ({ text }: Statement, name: string) => text.split(' ').map((word) => (word === name ? '' : word));
  const [one, two] = [frame(a, own[0]!), frame(b, other[0]!)];
  return one.length === two.length && one.every((word, i) => word === two[i]);
}

function usesOpposite(a: Statement, b: Statement, x: string, y: string): boolean {
  return a.tokens.has(x) && !b.tokens.has(x) && b.tokens.has(y) && !a.tokens.has(y);
}

function differsInDetail(a: Statement, b: Statement): boolean {
  const [lackedByB, lackedByA] = [
    difference(a.contentWords, b.contentWords),
    difference(b.contentWords, a.contentWords),
  ];
  // A word in place of another may be a synonym or an opposite; a model of word vectors cannot tell.
  if (lackedByB.length > 0 && lackedByA.length > 0) return true;
  // Additional words narrow a statement: several of them, or one in a phrase ("on Windows", "to production").
  if (Math.max(lackedByB.length, lackedByA.length) > 1) return true;
  if (lackedByB.some((word) => narrows(a, word)) || lackedByA.some((word) => narrows(b, word))) return true;
  if (difference(a.names, b.tokens).length + difference(b.names, a.tokens).length > 0) return true;
  // The same words in another order: A calls B, B calls A.
  return sorted(a.text) === sorted(b.text);
}

const ARTICLES = new Set(['a', 'an', 'the', 'all', 'every', 'each']);
const PREPOSITIONS = new Set(
  'to in on for from during outside inside under at with within until unless except if when after before'.split(' '),
);

/** Whether the word follows a preposition, as in a phrase of place, time or purpose. */
function narrows({ text }: Statement, word: string): boolean {
  const tokens = text.split(' ').filter((token) => !ARTICLES.has(token));
  const at = tokens.findIndex((token) => token === word || identifierTerms(token).parts.includes(word));
  return at > 0 && PREPOSITIONS.has(tokens[at - 1]!);
}

function difference(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((word) => !b.has(word));
}

function sorted(text: string): string {
  return text.split(' ').sort().join(' ');
}
