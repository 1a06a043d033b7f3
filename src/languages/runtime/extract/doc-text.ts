/** Turns comments and docstrings into plain text. */
import { pattern } from '../../../model/text/pattern.ts';
import type { LanguageDescriptor } from '../../language.ts';

const MAX_DOC = 4000;
/** Characters of a line that are searched for banner marks. */
const MAX_BANNER = 200;
/** Comments that are instructions to tools, not documentation. */
const DIRECTIVE = pattern()`
  ^(?:go:|nolint|eslint-|@ts-|prettier-|biome-|tslint:|istanbul |c8 |v8 |noqa|pylint:|pragma|type: ?ignore|mypy:|fmt:
  |rubocop:|swiftlint:|clang-format|NOLINT|noinspection|@formatter)
`;

/**
 * A line that heads a part of the file instead of documenting the next definition: `#### Output methods ####`, `-----
 * Options`.
 */
const BANNER = /^([-=*#~_+])\1{3,}.*\w|\w.* ([-=*#~_+])\2{3,}$/;
/** Words of a licence or copyright notice. */
const LICENCE = pattern('i')`
  \bcopyright\b|\(c\) ?\d{4}|\ball rights reserved\b|\blicen[cs]ed? (?:as|under|to|file)\b|same licen[cs]e\b|SPDX-
  |@license\b
`;

/** The text of one or more adjacent comments. */
export function commentText(raw: string, descriptor: LanguageDescriptor): string {
  const lines: string[] = [];
  for (const line of raw.slice(0, MAX_DOC * 2).split('\n')) {
    const text = stripMarks(line.trim(), descriptor);
    if (!DIRECTIVE.test(text) && !(lines.length === 0 && BANNER.test(text.slice(0, MAX_BANNER)))) lines.push(text);
  }
  return tidy(lines);
}

/** The comment at the start of a file is its licence, not the doc of the first definition. */
export function isLicence(doc: string): boolean {
  return LICENCE.test(doc.slice(0, 1000));
}

function stripMarks(line: string, { lineComment, blockComment }: LanguageDescriptor): string {
  let text = line;
  if (blockComment) {
    const [open, close] = blockComment;
    if (text.endsWith(close)) text = text.slice(0, -close.length).replace(/(?<!\*)\*+$/, '');
    if (text.startsWith(open)) text = text.slice(open.length).replace(/^[*!|^-]+/, '');
    else if (open === '/*' && text.startsWith('*')) text = text.replace(/^\*+/, '');
  }
  if (lineComment && text.startsWith(lineComment)) {
    text = text.slice(lineComment.length);
    const last = lineComment[lineComment.length - 1]!;
    let i = 0;
    while (text[i] === last) i++;
    text = text.slice(i).replace(/^[!|^<]/, '');
  }
  return text.startsWith(' ') ? text.slice(1).trimEnd() : text.trim();
}

/** The text of a string literal used as documentation, without quotes and common indentation. */
export function docstringText(raw: string): string {
  const body = raw
    .slice(0, MAX_DOC * 2)
    .replace(/^[a-zA-Z@~]*\s*(?:"""|'''|"|'|`)/, '')
    .replace(/(?:"""|'''|"|'|`)\s*$/, '');
  return tidy(
    body.split('\n').map((line) => line.trimEnd().replace(/^\s+/, (space) => (space.length > 8 ? '  ' : ''))),
  );
}

function tidy(lines: string[]): string {
  let first = 0;
  let last = lines.length;
  while (first < last && isBlank(lines[first]!)) first++;
  while (last > first && isBlank(lines[last - 1]!)) last--;
  const text = lines.slice(first, last).join('\n');
  return text.length > MAX_DOC ? text.slice(0, MAX_DOC) : text;
}

function isBlank(line: string): boolean {
  return /^[\s*#/=-]*$/.test(line);
}
