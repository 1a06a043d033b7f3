/**
 * Masks syntax that makes the Kotlin grammar lose whole classes. Offsets stay valid. Repetitions in the patterns are
 * bounded, so no text takes quadratic time.
 */
import { pattern } from '../../model/text/pattern.ts';

const TYPE = '[A-Z*][\\w.?]{0,100}(?:<[^<>()\\n]{0,200}>)?\\??';
const UNREADABLE = new RegExp(
  [
    // The grammar reads type arguments of a call (`publish<String>(x) {`) as two comparisons.
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
 * The grammar reads a class without a body, followed by annotations with arguments, as infix calls. This occurs where
 * annotation classes are declared.
 */
const BARE_CLASS = /\bannotation class \w+[ \t]*\r?$/m;
const ANNOTATION_ARGUMENTS = /(?<=^@[\w.]{1,100})\([^()]{0,2000}\)/gm;

/**
 * `context(log: Logger)` before a declaration: masked as an annotation, it does not separate the declaration from its
 * doc.
 */
const CONTEXT =
  /\bcontext\((?<=^[ \t]{0,200}context\()[^()\n]{0,300}\)(?=\s+(?:[a-z]+\s+){0,6}(?:fun|val|var|class|interface)\b)/gm;

/**
 * A primary constructor on a line of its own, as formatters write it: with a modifier, or with several annotations, the
 * grammar reads it as a secondary constructor. One annotation is read correctly, so a lone modifier is turned into one.
 */
const OWN_LINE_CONSTRUCTOR = pattern('g')`
  (\bclass [A-Z]\w{0,100}(?:<[^<>()]{0,200}>)?\s{1,40}(?:@[\w.]{1,100}(?:\([^()\n]{0,300}\))?\s{1,40})?)(
  (?:@[\w.]{1,100}(?:\([^()\n]{0,300}\))?\s{1,40}){0,4}(?:private |internal |protected |public )?)(?=constructor\b)
`;

/** The grammar reads `open` used as a name as the modifier and `in1` as `in`, except in their declarations. */
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
