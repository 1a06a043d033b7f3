import type { SymbolKind } from '../../model/records/symbol.ts';
import { pattern } from '../../model/text/pattern.ts';
import type { ScannedContent } from '../language.ts';
import { commentAbove, cutLines, lastFilled, ScanDraft } from '../runtime/scanning/scan-draft.ts';

const NAME = '(?:(?:"[^"]+"|`[^`]+`|\\[[^\\]]+\\]|[\\w$]+)\\s*\\.\\s*)*(?:"[^"]+"|`[^`]+`|\\[[^\\]]+\\]|[\\w$]+)';
const CREATE = new RegExp(
  '^\\s*(?:create|alter(?=\\s+(?:procedure|proc|function|view)\\b))\\s+(?:or\\s+(?:replace|' +
    'alter)\\s+)?(?:definer\\s*=\\s*\\S+\\s+)?' +
    '((?:global\\s+|local\\s+|temp(?:orary)?\\s+|unlogged\\s+|foreign\\s+|external\\s+|virtual\\s+|' +
    'materialized\\s+|recursive\\s+|unique\\s+|clustered\\s+|nonclustered\\s+|constraint\\s+|editionable\\s+)*)' +
    '(table|view|function|procedure|proc|trigger|index|type|domain|schema|database|sequence|extension|policy|' +
    'package\\s+body|package)\\s+' +
    `(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?(${NAME})`,
  'i',
);
const KINDS: Readonly<Record<string, SymbolKind>> = {
  table: 'struct',
  view: 'struct',
  function: 'function',
  procedure: 'function',
  proc: 'function',
  trigger: 'function',
  index: 'constant',
  type: 'type',
  domain: 'type',
  schema: 'module',
  database: 'module',
  sequence: 'constant',
  extension: 'module',
  policy: 'constant',
  package: 'module',
};
const USE = new RegExp(
  `\\b(references|from|join|into|update(?!\\s+(?:on|of|set)\\b)|alter\\s+table|call|` +
    `exec(?:ute)?(?:\\s+(?:function|procedure))?|on)\\s+(${NAME})`,
  'gi',
);
const NOT_A_TABLE = pattern('i')`
  ^(?:select|set|only|if|update|delete|insert|the|conflict|duplicate|values|cascade|lateral|unnest|each|true|false|now
  |immediate)$
`;
const NOT_A_COLUMN = pattern('i')`
  ^(?:primary|foreign|unique|constraint|check|key|index|exclude|like|period|fulltext|spatial|partition|with|as
  |select)$
`;
const COMMENT = /^\s*--+\s?/;
/** Words that start a statement at the beginning of a line, even if the previous one seems unclosed. */
const STATEMENT = pattern('i')`
  ^(?:create|alter|drop|insert|update|delete|select|grant|revoke|comment|truncate|use|go|delimiter|set|commit|with)\b
`;

/**
 * Scans SQL of any dialect: created objects, columns of tables, used tables and functions. A grammar for one dialect
 * fails on procedures of others, but in all of them definitions begin with CREATE.
 */
export function scanSql(all: readonly string[]): ScannedContent {
  const lines = cutLines(all);
  const draft = new ScanDraft();
  const masked = maskComments(lines);
  let open = -1;
  let openKind = '';
  let openFrom = 0;
  let depth = 0;
  let dollar = '';
  for (let i = 0; i < lines.length; i++) {
    const line = masked[i]!;
    if (!dollar && STATEMENT.test(line) && (openKind !== 'body' || /^(?:create|go|delimiter)\b/i.test(line))) {
      closeAt(i - 1);
      const head = `${line} ${masked[i + 1] ?? ''} ${masked[i + 2] ?? ''}`;
      const created = CREATE.exec(head);
      if (created) begin(i, created, head);
    } else if (!dollar && open < 0 && /^\s+create\b/i.test(line)) {
      const created = CREATE.exec(line);
      if (created) begin(i, created, line);
    }
    if (open >= 0 && draft.symbols[open]!.kind === 'struct' && openKind === 'table' && depth === 1) addColumn(line, i);
    addUses(draft, line, i + 1, open);
    for (let c = 0; c < line.length; c++) {
      const quoted = line[c] === '$' ? /^\$\w*\$/.exec(line.slice(c))?.[0] : undefined;
      if (quoted && (!dollar || dollar === quoted)) {
        dollar = dollar ? '' : quoted;
        c += quoted.length - 1;
      } else if (dollar) {
      } else if (line[c] === '(') depth++;
      else if (line[c] === ')') depth = Math.max(0, depth - 1);
      else if (line[c] === ';' && depth === 0 && openKind !== 'body') closeAt(i);
    }
    if (openKind === 'body' && /^\s*end\b[^;]*;?\s*(?:\$\$|\/\/|\/)?\s*$/i.test(line) && !/^\s+/.test(line)) closeAt(i);
  }
  closeAt(lines.length - 1);
  return draft.finish();

  function begin(i: number, created: RegExpExecArray, head: string): void {
    const word = created[2]!.toLowerCase().replace(/\s+body$/, '');
    const full = created[3]!.replace(/\s*\.\s*/g, '.').replace(/["`[\]]/g, '');
    const name = full.slice(full.lastIndexOf('.') + 1);
    if (word === 'index' && /^on$/i.test(name)) return;
    const { doc, first } = docAbove(lines, i);
    const isEnum = word === 'type' && /\bas\s+enum\b/i.test(head);
    open = draft.add({
      name,
      kind: isEnum ? 'enum' : KINDS[word]!,
      qualifiedName: full,
      signature: signatureOf(lines, i, word === 'table'),
      doc,
      fullStartLine: first + 1,
      startLine: i + 1,
      nameColumn: Math.max(0, lines[i]!.indexOf(name)) + 1,
    });
    openFrom = i;
    depth = 0;
    openKind = /^(?:function|procedure|proc|trigger|package)$/.test(word) && hasBeginBody(masked, i) ? 'body' : word;
  }

  function closeAt(end: number): void {
    if (open >= 0) draft.end(open, lastFilled(lines, openFrom, Math.max(openFrom, end)) + 1);
    open = -1;
    openKind = '';
    depth = 0;
  }

  function addColumn(line: string, i: number): void {
    const column = /^\s*,?\s*(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([A-Za-z_]\w*))\s+[A-Za-z"[]/.exec(line);
    const name = column?.[1] ?? column?.[2] ?? column?.[3] ?? column?.[4];
    if (!name || NOT_A_COLUMN.test(name)) return;
    draft.add({
      name,
      kind: 'field',
      parent: open,
      signature: lines[i]!.replace(/,\s*(?:--.*)?$/, ''),
      startLine: i + 1,
      nameColumn: line.indexOf(name) + 1,
    });
  }
}

/** `--` lines or a block comment right above a statement. */
function docAbove(lines: readonly string[], i: number): { readonly doc: string; readonly first: number } {
  if (!/\*\/\s*$/.test(lines[i - 1] ?? '')) return commentAbove(lines, i, COMMENT);
  let first = i - 1;
  while (first > 0 && i - first < 60 && !lines[first]!.includes('/*')) first--;
  const doc = lines.slice(first, i).map((line) => line.replace(/^\s*(?:\/\*+|\*(?!\/))?\s?|\s*\*+\/\s*$/g, ''));
  return { doc: doc.join('\n').trim(), first };
}

/** The routine has a BEGIN … END body of its own, not one in quotes. */
function hasBeginBody(lines: readonly string[], from: number): boolean {
  for (let i = from; i < Math.min(lines.length, from + 60); i++) {
    if (/\$\w*\$/.test(lines[i]!) || (i > from && STATEMENT.test(lines[i]!) && !/^(?:set|with)\b/i.test(lines[i]!)))
      return false;
    if (/^\s*(?:as\s+)?begin\b|\b(?:as|is)\s*$/i.test(lines[i]!)) return true;
    if (/;\s*$/.test(lines[i]!)) return false;
  }
  return false;
}

function signatureOf(lines: readonly string[], from: number, table: boolean): string {
  const text = lines.slice(from, from + 8).join(' ');
  const end = table ? text.search(/\(|;/) : text.search(/;|\bas\b|\bbegin\b|\$\$/i);
  return end > 0 ? text.slice(0, end) : lines[from]!;
}

function addUses(draft: ScanDraft, line: string, number: number, from: number): void {
  for (const match of line.matchAll(USE)) {
    const full = match[2]!.replace(/["`[\]\s]/g, '');
    const dot = full.lastIndexOf('.');
    const name = full.slice(dot + 1);
    const word = match[1]!.toLowerCase();
    if (NOT_A_TABLE.test(name) || /^\d/.test(name)) continue;
    // `JOIN a ON x.id = …` names a column; `CREATE INDEX … ON t` and `CREATE TRIGGER … ON t` name a table.
    if (word === 'on' && !/^\s*(?:create|on|before|after|for|instead)\b|\b(?:index|trigger)\b/i.test(line)) continue;
    if (draft.symbols[from]?.name === name && draft.symbols[from]?.nameLine === number) continue;
    const kind = /^(?:call|exec)/.test(word) ? 'call' : 'read';
    draft.refer(
      kind,
      name,
      dot < 0 ? '' : full.slice(0, dot),
      number,
      match.index + match[0].length - name.length + 1,
      from,
    );
  }
}

/** Replaces comments and string contents by spaces: offsets stay valid, and words inside do not count. */
function maskComments(lines: readonly string[]): string[] {
  let inComment = false;
  return lines.map((line) => {
    if (!inComment && !/--|\/\*|'/.test(line)) return line;
    let out = '';
    for (let i = 0; i < line.length; i++) {
      if (inComment) {
        if (line.startsWith('*/', i)) {
          inComment = false;
          out += '  ';
          i++;
        } else out += ' ';
      } else if (line.startsWith('--', i)) break;
      else if (line.startsWith('/*', i)) {
        inComment = true;
        out += '  ';
        i++;
      } else if (line[i] === "'") {
        const close = line.indexOf("'", i + 1);
        const end = close < 0 ? line.length - 1 : close;
        out += `'${' '.repeat(Math.max(0, end - i - 1))}${end > i ? "'" : ''}`;
        i = end;
      } else out += line[i];
    }
    return out;
  });
}
