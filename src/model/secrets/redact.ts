/**
 * Puts a mark in the place of each access token. The mark is as long as the token, so that lines, columns and byte
 * offsets stay what they were.
 */
import { findSecrets, type SecretSpan } from './find-secrets.ts';

/** The text itself where it holds none. */
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
 * Its ends are a letter where the token's are one, and none where they are none: a pattern that asks for a word's
 * border beside a token gets the same answer whatever the token is.
 */
function markFor(rule: string, token: string): string {
  const name = `REDACTED_${rule.replaceAll('-', '_')}_`;
  const mark = name.length < token.length ? name.padEnd(token.length, 'x') : 'x'.repeat(token.length);
  const edge = (char: string, own: string) => (/\w/.test(char) ? own : '-');
  return token.length < 2
    ? edge(token, 'x')
    : edge(token[0]!, mark[0]!) + mark.slice(1, -1) + edge(token.at(-1)!, mark.at(-1)!);
}
