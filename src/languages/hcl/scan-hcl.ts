import type { SymbolKind } from '../../model/records/symbol.ts';
import type { ScannedContent } from '../language.ts';
import { commentAbove, lastFilled, ScanDraft } from '../runtime/scanning/scan-draft.ts';

const BLOCK = /^\s*([A-Za-z_][\w-]*)((?:\s+(?:"[^"]*"|[A-Za-z_][\w-]*))*)\s*\{/;
const COMMENT = /^\s*(?:#+|\/\/+)\s?/;
/** What a block's labels are called by elsewhere: `variable "region"` is `var.region`. */
const PREFIX: Readonly<Record<string, string>> = {
  variable: 'var.',
  output: 'output.',
  module: 'module.',
  data: 'data.',
  provider: 'provider.',
  local: 'local.',
};
const KINDS: Readonly<Record<string, SymbolKind>> = { variable: 'variable', module: 'module', provider: 'module' };
const REFERENCE = /\b(?:(var|local|module)\.([A-Za-z_][\w-]*)|(data\.[a-z]\w+|[a-z][a-z0-9]*_\w+)\.([A-Za-z_][\w-]*))/g;

/** HCL (Terraform, Packer, Nomad): top-level blocks by type and labels, `locals` by key, and what they refer to. */
export function scanHcl(lines: readonly string[]): ScannedContent {
  const draft = new ScanDraft();
  let depth = 0;
  let heredoc = '';
  let inComment = false;
  let block = -1;
  let inLocals = false;
  /** The key of `locals` that is being read. */
  let local = -1;
  let sectionStart = -1;
  let path: readonly string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (heredoc) {
      if (line.trim() === heredoc) heredoc = '';
      continue;
    }
    if (inComment) {
      inComment = !line.includes('*/');
      continue;
    }
    if (/^\s*\/\*/.test(line) && !line.includes('*/')) {
      inComment = true;
      continue;
    }
    if (COMMENT.test(line)) continue;
    if (depth === 0) {
      const { doc, first } = commentAbove(lines, i, COMMENT);
      const opening = BLOCK.exec(line);
      const pair = /^\s*([A-Za-z_][\w-]*)\s*=/.exec(line);
      if (opening) {
        const type = opening[1]!;
        const labels = [...opening[2]!.matchAll(/"([^"]*)"|([\w-]+)/g)].map((label) => label[1] ?? label[2]!);
        inLocals = type === 'locals';
        path = [[type, ...labels].join(' ')];
        sectionStart = first;
        block = draft.add({
          name: labels[labels.length - 1] ?? type,
          kind: KINDS[type] ?? 'constant',
          qualifiedName: labels.length > 0 ? (PREFIX[type] ?? '') + labels.join('.') : type,
          signature: line.replace(/\{.*$/, ''),
          doc,
          fullStartLine: first + 1,
          startLine: i + 1,
          nameColumn: Math.max(0, line.lastIndexOf(labels[labels.length - 1] ?? type)) + 1,
        });
      } else if (pair) {
        block = draft.add({
          name: pair[1]!,
          kind: 'constant',
          signature: line,
          doc,
          fullStartLine: first + 1,
          startLine: i + 1,
        });
        path = [pair[1]!];
        sectionStart = first;
      }
    } else if (depth === 1 && inLocals) {
      const pair = /^\s*([A-Za-z_][\w-]*)\s*=/.exec(line);
      if (pair) {
        const { doc, first } = commentAbove(lines, i, COMMENT);
        local = draft.add({
          name: pair[1]!,
          kind: 'constant',
          parent: block,
          qualifiedName: `local.${pair[1]}`,
          signature: line,
          doc,
          fullStartLine: first + 1,
          startLine: i + 1,
          nameColumn: line.indexOf(pair[1]!) + 1,
        });
      }
    }
    addReferences(draft, line, i + 1, block);
    const bare = line.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/(?:#|\/\/).*$/, '');
    heredoc = /<<[-~]?([A-Z_]\w*)\s*$/.exec(bare)?.[1] ?? '';
    for (const c of bare) {
      if (c === '{' || c === '[' || c === '(') depth++;
      else if (c === '}' || c === ']' || c === ')') depth = Math.max(0, depth - 1);
    }
    if (depth === 1 && !heredoc && local >= 0) {
      draft.end(local, i + 1);
      local = -1;
    }
    if (depth === 0 && !heredoc && sectionStart >= 0) {
      local = -1;
      draft.end(block, i + 1);
      draft.section(path, sectionStart + 1, i + 1);
      sectionStart = -1;
      block = -1;
    }
  }
  if (sectionStart >= 0) {
    const last = lastFilled(lines, sectionStart, lines.length - 1) + 1;
    draft.end(block, last);
    draft.section(path, sectionStart + 1, last);
    draft.problems.push({ line: sectionStart + 1, message: 'the block is not closed' });
  }
  return draft.finish();
}

function addReferences(draft: ScanDraft, line: string, number: number, from: number): void {
  const source = /^\s*source\s*=\s*"([^"]+)"/.exec(line);
  if (source && draft.symbols[from]?.signature.startsWith('module')) draft.import(source[1]!, number);
  if (!line.includes('.')) return;
  for (const match of line.matchAll(REFERENCE)) {
    const name = match[2] ?? match[4]!;
    const receiver = match[1] ?? match[3]!;
    draft.refer('read', name, receiver, number, match.index + receiver.length + 2, from);
  }
}
