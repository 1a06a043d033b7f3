/**
 * Text with marks in it: Markdown, reStructuredText, HTML and its kin. Headings and tags stand out, code in it looks
 * like code.
 */
import type { Take, TokenKind } from './highlight.ts';

type Rule = readonly [RegExp, TokenKind];

/** The search for a closing mark is bounded: a text of openings alone must not cost quadratic time. */
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

/** False for a language that is none of these. */
export function scanMarkup(code: string, language: string, take: Take): boolean {
  if (!Object.hasOwn(RULES, language)) return false;
  const rules = RULES[language]!.map(([{ source, flags }, kind]) => ({
    pattern: new RegExp(source, `${flags}g`),
    kind,
  }));
  let at = 0;
  // The next place of each rule is looked for again only when it lies behind.
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
