/** What the Kotlin grammar cannot read and loses whole classes over, blanked so that places stay. Repetitions are bounded: no text costs its square. */

const TYPE = '[A-Z*][\\w.?]{0,100}(?:<[^<>()\\n]{0,200}>)?\\??';
const UNREADABLE = new RegExp(
  [
    // Type arguments of a call: `publish<String>(x) {` is taken for two comparisons.
    `(?<=\\b[a-z]\\w*)<(?:in |out )?${TYPE}(?:, ?${TYPE}){0,9}>(?=\\s?[({])`,
    '\\bsuspend(?=\\s*\\{)',
    '\\bsuspend\\s*=(?!=)',
    '[$]{2,8}(?=")',
    '\\?(?=::)',
    // Annotations of an accessor.
    '@\\w+(?:\\([^()\\n]*\\))?(?=(?:[ \\t]*//[^\\n]*)?\\s+(?:(?:private|internal|protected)\\s+)?[gs]et\\()',
  ].join('|'),
  'g',
);

/** A class without a body, then annotations with arguments: taken for infix calls. It happens where annotations are declared. */
const BARE_CLASS = /\bannotation class \w+[ \t]*\r?$/m;
const ANNOTATION_ARGUMENTS = /(?<=^@[\w.]{1,100})\([^()]{0,2000}\)/gm;

/** `context(log: Logger)` before a declaration; as an annotation it parts nothing from its doc. */
const CONTEXT = /(?<=^[ \t]*)context\([^()\n]{0,300}\)(?=\s+(?:[a-z]+\s+){0,6}(?:fun|val|var|class|interface)\b)/gm;

export function maskKotlin(text: string): string {
  const seen = text.replace(CONTEXT, (words) => '@C'.padEnd(words.length)).replace(UNREADABLE, spaces);
  return BARE_CLASS.test(seen) ? seen.replace(ANNOTATION_ARGUMENTS, spaces) : seen;
}

function spaces(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
