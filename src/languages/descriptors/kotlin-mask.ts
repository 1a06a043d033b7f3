/**
 * What the Kotlin grammar cannot read and loses whole classes over, blanked: type arguments of a call (`publish<String>(x) {` is taken for two
 * comparisons), `suspend` before a lambda or as an argument's name, `$$"…"`, `String?::plus`, annotations before an accessor.
 */
const UNREADABLE =
  /(?<=\b[a-z]\w*)<(?:in |out )?(?:[A-Z*][\w.?*]*(?:<[^<>()\n]*>)?\??(?:,\s*)?)+>(?=\s?[({])|\bsuspend(?=\s*\{)|\bsuspend\s*=(?!=)|\$\$+(?=")|\?(?=::)|@\w+(?:\([^()\n]*\))?(?=(?:[ \t]*\/\/[^\n]*)?\s+(?:(?:private|internal|protected)\s+)?[gs]et\()/g;

export function maskKotlin(text: string): string {
  return text.replace(UNREADABLE, (found) => found.replace(/[^\n]/g, ' '));
}
