import type { SymbolKind } from '../../model/records/symbol.ts';
import type { ScannedContent } from '../language.ts';
import { commentAbove, cutLines, lastFilled, ScanDraft } from '../runtime/scanning/scan-draft.ts';

const BLOCK = /^\s*([A-Za-z_][\w-]*)((?:\s+(?:"[^"]*"|[A-Za-z_][\w-]*))*)\s*\{/;
const COMMENT = /^\s*(?:#+|\/\/+)\s?/;
/** The prefix under which other code refers to a block: `variable "region"` is `var.region`. */
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

const PAIR = /^\s*([A-Za-z_][\w-]*)\s*=/;

/**
 * Scans HCL (Terraform, Packer, Nomad): top-level blocks by type and labels, `locals` by key, and references between
 * them.
 */
export function scanHcl(all: readonly string[]): ScannedContent {
  const lines = cutLines(all);
  const scan = new HclScan(lines);
  let heredoc = '';
  let inComment = false;
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
    const bare = line.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/(?:#|\/\/).*$/, '');
    heredoc = /<<[-~]?([A-Z_]\w*)\s*$/.exec(bare)?.[1] ?? '';
    scan.line(i, bare, heredoc !== '');
  }
  return scan.finish();
}

class HclScan {
  private readonly draft = new ScanDraft();
  private depth = 0;
  private block = -1;
  private inLocals = false;
  /** The key of `locals` that is open. */
  private local = -1;
  private sectionStart = -1;
  private path: readonly string[] = [];

  constructor(private readonly lines: readonly string[]) {}

  /** `bare` is the line without strings and comments. A heredoc leaves the enclosing entry open. */
  line(i: number, bare: string, opensHeredoc: boolean): void {
    const line = this.lines[i]!;
    if (this.depth === 0) this.openBlock(line, i);
    else if (this.depth === 1 && this.inLocals) this.openLocal(line, i);
    addReferences(this.draft, line, i + 1, this.block);
    for (const c of bare) {
      if (c === '{' || c === '[' || c === '(') this.depth++;
      else if (c === '}' || c === ']' || c === ')') this.depth = Math.max(0, this.depth - 1);
    }
    if (opensHeredoc) return;
    if (this.depth === 1 && this.local >= 0) {
      this.draft.end(this.local, i + 1);
      this.local = -1;
    }
    if (this.depth === 0 && this.sectionStart >= 0) this.closeBlock(i + 1);
  }

  finish(): ScannedContent {
    if (this.sectionStart >= 0) {
      this.draft.problems.push({ line: this.sectionStart + 1, message: 'the block is not closed' });
      this.closeBlock(lastFilled(this.lines, this.sectionStart, this.lines.length - 1) + 1);
    }
    return this.draft.finish();
  }

  private openBlock(line: string, i: number): void {
    const { doc, first } = commentAbove(this.lines, i, COMMENT);
    const opening = BLOCK.exec(line);
    const pair = PAIR.exec(line);
    const place = { doc, fullStartLine: first + 1, startLine: i + 1 };
    if (opening) {
      const type = opening[1]!;
      const labels = [...opening[2]!.matchAll(/"([^"]*)"|([\w-]+)/g)].map((label) => label[1] ?? label[2]!);
      const name = labels[labels.length - 1] ?? type;
      this.inLocals = type === 'locals';
      this.path = [[type, ...labels].join(' ')];
      this.block = this.draft.add({
        name,
        kind: KINDS[type] ?? 'constant',
        qualifiedName: labels.length > 0 ? (PREFIX[type] ?? '') + labels.join('.') : type,
        signature: line.replace(/\{.*$/, ''),
        nameColumn: Math.max(0, line.lastIndexOf(name)) + 1,
        ...place,
      });
    } else if (pair) {
      this.path = [pair[1]!];
      this.block = this.draft.add({ name: pair[1]!, kind: 'constant', signature: line, ...place });
    } else return;
    this.sectionStart = first;
  }

  private openLocal(line: string, i: number): void {
    const name = PAIR.exec(line)?.[1];
    if (!name) return;
    const { doc, first } = commentAbove(this.lines, i, COMMENT);
    this.local = this.draft.add({
      name,
      kind: 'constant',
      parent: this.block,
      qualifiedName: `local.${name}`,
      signature: line,
      doc,
      fullStartLine: first + 1,
      startLine: i + 1,
      nameColumn: line.indexOf(name) + 1,
    });
  }

  private closeBlock(line: number): void {
    this.draft.end(this.block, line);
    this.draft.section(this.path, this.sectionStart + 1, line);
    this.local = -1;
    this.sectionStart = -1;
    this.block = -1;
  }
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
