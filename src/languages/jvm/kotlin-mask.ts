/**
 * What the Kotlin grammar cannot read and loses whole classes over, blanked so that places stay. Repetitions are
 * bounded: no text costs its square.
 */
import { pattern } from '../../model/text/pattern.ts';

const TYPE = '[A-Z*][\\w.?]{0,100}(?:<[^<>()\\n]{0,200}>)?\\??';
const UNREADABLE = new RegExp(
  [
    // Type arguments of a call: `publish<String>(x) {` is taken for two comparisons.
    `<(?<=\\b[a-z]\\w{0,100}<)(?:in |out )?${TYPE}(?:, ?${TYPE}){0,9}>(?=\\s?[({])`,
    '\\bsuspend(?=\\s*\\{)',
    '\\bsuspend\\s*=(?!=)',
    '[$]{2,8}(?=")',
    '\\?(?=::)',
    // Annotations of an accessor.
    '@\\w+(?:\\([^()\\n]*\\))?(?=(?:[ \\t]*//[^\\n]*)?\\s+(?:(?:private|internal|protected)\\s+)?[gs]et\\()',
  ].join('|'),
  'g',
);

/**
 * A class without a body, then annotations with arguments: taken for infix calls. It happens where annotations are
 * declared.
 */
const BARE_CLASS = /\bannotation class \w+[ \t]*\r?$/m;
const ANNOTATION_ARGUMENTS = /(?<=^@[\w.]{1,100})\([^()]{0,2000}\)/gm;

/** `context(log: Logger)` before a declaration; as an annotation it parts nothing from its doc. */
const CONTEXT =
  /\bcontext\((?<=^[ \t]{0,200}context\()[^()\n]{0,300}\)(?=\s+(?:[a-z]+\s+){0,6}(?:fun|val|var|class|interface)\b)/gm;

/**
 * What stands before a primary constructor on a line of its own, as formatters write it: with a modifier, or with
 * several annotations, it is taken for another constructor. One annotation is read; a modifier alone is made one.
 */
const OWN_LINE_CONSTRUCTOR = pattern('g')`
  (\bclass [A-Z]\w{0,100}(?:<[^<>()]{0,200}>)?\s{1,40}(?:@[\w.]{1,100}(?:\([^()\n]{0,300}\))?\s{1,40})?)(
  (?:@[\w.]{1,100}(?:\([^()\n]{0,300}\))?\s{1,40}){0,4}(?:private |internal |protected |public )?)(?=constructor\b)
`;

/** `open` as a name is taken for the modifier, `in1` for `in`; where they are declared they are not. */
const NAMES = /(?<![.\w]|\b(?:fun|va[lr]) )(?:open(?=\s*(?:[(.),;}]|[=!]=|= |&&|\|\|))|in(?=\d))/g;

export function maskKotlin(text: string): string {
  const seen = text
    .replace(CONTEXT, (words) => '@C'.padEnd(words.length))
    .replace(UNREADABLE, spaces)
    .replace(OWN_LINE_CONSTRUCTOR, (_whole, head: string, rest: string) =>
      head.includes('@') || rest === '' ? head + spaces(rest) : `${head}@${rest.slice(1)}`,
    )
    .replace(NAMES, (word) => `_${word.slice(1)}`);
  return BARE_CLASS.test(seen) ? seen.replace(ANNOTATION_ARGUMENTS, spaces) : seen;
}

function spaces(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
