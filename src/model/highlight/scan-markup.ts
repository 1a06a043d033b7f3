/**
 * Colours markup: Markdown, reStructuredText, HTML and similar formats. Headings and tags get colours of their own, and
 * code blocks those of code.
 */
import type { Take, TokenKind } from './highlight.ts';

type Rule = readonly [RegExp, TokenKind];

/** Limit of the search for a closing mark, so that a text of opening marks does not take quadratic time. */
const MARKDOWN: readonly Rule[] = [
  [/^ {0,3}(```+|~~~+)[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))/m, 'string'],
  [/^ {0,3}#{1,6} .*$/m, 'keyword'],
  [/^[ \t]*(?:[-*+]|\d+[.)])(?= )/m, 'number'],
  [/^ {0,3}>.*$/m, 'comment'],
  [/`[^`\n]{1,500}`/, 'string'],
  [/\[[^\]\n]{1,500}\]\([^)\n]{0,500}\)/, 'call'],
  [/<!--[\s\S]*?(?:-->|(?![\s\S]))/, 'comment'],
];
const STRUCTURED_TEXT: readonly Rule[] = [
  [/^\S.*\n([=\-~^"'#*+])\1{2,}$/m, 'keyword'],
  [/^\.\. [\w:-]+::.*$/m, 'call'],
  [/``[^`\n]{1,500}``/, 'string'],
  [/:[\w:+-]{1,60}:`[^`\n]{1,500}`/, 'type'],
  [/^[ \t]*(?:[-*+]|#\.|\d+\.)(?= )/m, 'number'],
];
const TAGGED: readonly Rule[] = [
  [/<!--[\s\S]*?(?:-->|(?![\s\S]))/, 'comment'],
  [/<[/!?]?[A-Za-z][\w:.-]*|\/?>/, 'keyword'],
  [/(?<==)"[^"\n]*"|(?<==)'[^'\n]*'/, 'string'],
  [/\{\{.{0,500}?\}\}|\{%.{0,500}?%\}/, 'call'],
  [/&#?\w{1,40};/, 'number'],
];
const PLAIN: readonly Rule[] = [];

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  markdown: MARKDOWN,
  mdx: MARKDOWN,
  rst: STRUCTURED_TEXT,
  asciidoc: [[/^=+ .*$/m, 'keyword'], ...MARKDOWN.slice(2)],
  html: TAGGED,
  xml: TAGGED,
  text: PLAIN,
};

/** Returns false for a language that is no markup. */
export function scanMarkup(code: string, language: string, take: Take): boolean {
  if (!Object.hasOwn(RULES, language)) return false;
  const rules = RULES[language]!.map(([{ source, flags }, kind]) => ({
    pattern: new RegExp(source, `${flags}g`),
    kind,
  }));
  let at = 0;
  // Each rule searches for its next match only after the scan has passed the last one.
  const next = rules.map(({ pattern }) => pattern.exec(code));
  while (at < code.length) {
    rules.forEach(({ pattern }, i) => {
      if (!next[i] || next[i].index >= at) return;
      pattern.lastIndex = at;
      next[i] = pattern.exec(code);
    });
    const found = next.reduce((best, each, i) => (each && (best < 0 || each.index < next[best]!.index) ? i : best), -1);
    if (found < 0) break;
    const { index, 0: text } = next[found]!;
    if (index > at) take('plain', code.slice(at, index));
    if (text === '') break;
    take(rules[found]!.kind, text);
    at = index + text.length;
  }
  if (at < code.length) take('plain', code.slice(at));
  return true;
}
