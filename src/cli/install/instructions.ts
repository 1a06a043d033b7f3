/**
 * The block for AGENTS.md, CLAUDE.md and Cursor's rules, between markers: subagents see no server instructions, and
 * some may only use the shell.
 */
import { type ConfigFormat, lineBreakOf } from './formats/config-format.ts';

const BEGIN = '<!-- sextant:begin -->';
const END = '<!-- sextant:end -->';

/** At most twelve lines, markers included. */
export const INSTRUCTION_BLOCK = [
  BEGIN,
  '## Finding code: Sextant',
  'This repository is indexed by Sextant. Ask it before you grep or read files whole.',
  '- MCP tools: search_code (question, name, error), locate_symbol (definition, callers), code_research (what ' +
    'calls X).',
  '- In a shell: `sextant search "where are retries configured"`, `sextant locate AuthService.refresh --detail`,',
  '  `sextant research "what calls AuthService.refresh"`, `sextant map`, `sextant read src/auth.ts --outline`.',
  '- Exact text: grep_codebase or `sextant grep "TODO|FIXME"`. Why it is so: context_search or `sextant memory ' +
    'search`.',
  '- Not installed: `npx -y sextant-mcp search "…" --yes`.',
  END,
] as const;

/** The format of a file with the block: the block is set and removed like an entry at the empty path. */
export const blockFormat: ConfigFormat = {
  parse: (text) => (rangeOf(text) === null ? {} : { block: true }),
  set(text) {
    const eol = lineBreakOf(text);
    const block = INSTRUCTION_BLOCK.join(eol);
    const range = rangeOf(text);
    if (range) return text.slice(0, range.start) + block + text.slice(range.end);
    const gap = text === '' || text === ALWAYS ? '' : text.endsWith('\n') ? eol : eol + eol;
    return `${text}${gap}${block}${eol}`;
  },
  remove(text) {
    const { start, end } = rangeOf(text)!;
    const before = text.slice(0, start);
    const rest = text.slice(end).replace(/^\r?\n/, '');
    return (/\n\r?\n$/.test(before) ? before.replace(/\r?\n$/, '') : before) + rest;
  },
};

/** Without this, Cursor reads a rule only where its user names it. */
const ALWAYS = ['---', 'alwaysApply: true', '---', '', ''].join('\n');

/** The block in a rule of Cursor. */
export const cursorRuleFormat: ConfigFormat = {
  parse: blockFormat.parse,
  set(text, path, value) {
    const hasHead = text !== '' && !text.startsWith(BEGIN);
    return blockFormat.set(hasHead ? text : ALWAYS + text, path, value);
  },
  remove(text, path) {
    const rest = blockFormat.remove(text, path);
    return rest.trimEnd() === ALWAYS.trimEnd() ? '' : rest;
  },
};

function rangeOf(text: string): { readonly start: number; readonly end: number } | null {
  const start = text.indexOf(BEGIN);
  const end = text.indexOf(END, start);
  return start < 0 || end < 0 ? null : { start, end: end + END.length };
}
