/**
 * Replaces each access token by a mark. The mark is as long as the token, so that lines, columns and byte offsets do
 * not change.
 */
import { findSecrets, type SecretSpan } from './find-secrets.ts';

/** Redacts a text; returns the same string if it has no token. */
export function redactText(text: string): string {
  return replaceSpans(text, findSecrets(text));
}

export function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  if (spans.length === 0) return text;
  let made = '';
  let at = 0;
  for (const span of spans) {
    made += text.slice(at, span.start) + markFor(span.rule, text.slice(span.start, span.end));
    at = span.end;
  }
  return made + text.slice(at);
}

/**
 * A mark as long as the token. Its first and last characters are word characters exactly if the token's are, so that a
 * client's pattern with a word boundary matches in the same way and tells nothing about the token.
 */
function markFor(rule: string, token: string): string {
  const name = `REDACTED_${rule.replaceAll('-', '_')}_`;
  const mark = name.length < token.length ? name.padEnd(token.length, 'x') : 'x'.repeat(token.length);
  const edge = (char: string, own: string) => (/\w/.test(char) ? own : '-');
  return token.length < 2
    ? edge(token, 'x')
    : edge(token[0]!, mark[0]!) + mark.slice(1, -1) + edge(token.at(-1)!, mark.at(-1)!);
}
