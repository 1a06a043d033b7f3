import { pattern } from '../../model/text/pattern.ts';
import type { ScannedContent } from '../language.ts';
import { commentAbove, cutLines, lastFilled, ScanDraft } from '../runtime/scanning/scan-draft.ts';

const COMMENT = /^#+\s?/;
/** Every target of a rule gets a call for every prerequisite, so the number of targets is limited. */
const MAX_TARGETS = 50;
const TARGET = /^([^\s:#=][^:#=]*)::?(?!=)([^=]*)$/;
const VARIABLE = /^(?:export\s+|override\s+)*([A-Za-z_][\w.-]*)\s*(?::{0,3}|\+|\?|!)=/;

/** Messages and shell calls of `make`: a colon in them starts no rule, unlike in `$(OBJECTS): defs.h`. */
const DIRECTIVE = pattern()`
  ^\s*(?:\$[({](?:warning|error|info|eval|call|foreach|if|shell)\s
  |(?:ifn?eq|ifn?def|else|endif|vpath|undefine|unexport)\b)
`;

/** Scans a Makefile: targets are functions that call their prerequisites, `define` is a macro, includes are imports. */
export function scanMakefile(all: readonly string[]): ScannedContent {
  const lines = cutLines(all);
  const draft = new ScanDraft();
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (line === '' || line.startsWith('\t') || line.startsWith('#') || DIRECTIVE.test(line)) continue;
    const define = /^define\s+(\S+)/.exec(line);
    const include = /^[-s]?include\s+(.+)$/.exec(line);
    const variable = VARIABLE.exec(line);
    const target = TARGET.exec(line);
    const { doc, first } = commentAbove(lines, i, COMMENT);
    const place = { doc, fullStartLine: first + 1, startLine: i + 1 };
    if (define) {
      let end = i;
      while (end + 1 < lines.length && !/^endef\b/.test(lines[end]!)) end++;
      draft.add({ ...place, name: define[1]!, kind: 'macro', signature: line, endLine: end + 1 });
      i = end;
    } else if (include) {
      for (const file of include[1]!.trim().split(/\s+/)) draft.import(file, i + 1);
    } else if (variable) {
      const end = continued(lines, i);
      const name = variable[1]!;
      const kind = /^[A-Z][A-Z0-9_]*$/.test(name) ? 'constant' : 'variable';
      draft.add({
        ...place,
        name,
        kind,
        signature: line.replace(/\\$/, ''),
        endLine: end + 1,
        nameColumn: line.indexOf(name) + 1,
      });
      i = end;
    } else if (target && !/[=]/.test(target[1]!)) {
      const headEnd = continued(lines, i);
      const names = target[1]!.trimEnd().split(/\s+/);
      const needs = [target[2]!, ...lines.slice(i + 1, headEnd + 1)].join(' ').split('|').join(' ').replace(/;.*$/, '');
      const words = needs
        .replace(/\\/g, ' ')
        .split(/\s+/)
        .filter((word) => word !== '' && !word.includes('$'));
      if (names[0]!.startsWith('.') && !names[0]!.includes('/')) continue;
      let end = headEnd;
      while (end + 1 < lines.length && /^(?:\t|\s*$)/.test(lines[end + 1]!)) end++;
      end = lastFilled(lines, headEnd, end);
      for (const name of names.filter((word) => !/^[%$]|\$\(/.test(word)).slice(0, MAX_TARGETS)) {
        const symbol = draft.add({
          ...place,
          name,
          kind: 'function',
          signature: line,
          endLine: end + 1,
          nameColumn: line.indexOf(name) + 1,
        });
        referAll(draft, words, { lines, row: i, column: line.indexOf(':'), last: headEnd }, symbol);
      }
      i = end;
    }
  }
  return draft.finish();
}

/** Prerequisites are in reading order, so each is searched for after the one before. */
function referAll(
  draft: ScanDraft,
  words: readonly string[],
  { lines, row: first, column: from, last }: { lines: readonly string[]; row: number; column: number; last: number },
  symbol: number,
): void {
  let [row, after] = [first, from];
  for (const word of words) {
    let column = lines[row]!.indexOf(word, after);
    while (column < 0 && row < last) column = lines[++row]!.indexOf(word);
    if (column < 0) return;
    draft.refer('call', word, '', row + 1, column + 1, symbol);
    after = column + word.length;
  }
}

/** The last line of a statement that backslashes continue. */
function continued(lines: readonly string[], from: number): number {
  let end = from;
  while (end + 1 < lines.length && lines[end]!.endsWith('\\')) end++;
  return end;
}
