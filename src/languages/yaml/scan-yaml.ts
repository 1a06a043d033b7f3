import type { ScannedContent } from '../language.ts';
import { addKeyTree, type KeyNode } from '../runtime/scanning/key-tree.ts';
import { commentAbove, cutLines, lastFilled, ScanDraft } from '../runtime/scanning/scan-draft.ts';

const KEY = /^(\s*)(?:-\s+)?(?:"([^"]+)"|'([^']+)'|([^\s#:[\]{},&*!|>'"%@`-][^:#]*?|-?[\w./*][^:#]*?))\s*:(?=\s|$)/;
const COMMENT = /^\s*#+!?\s?/;

/**
 * Scans YAML: the keys of the first two levels, by indentation. A Kubernetes-like document is named by its kind and
 * name.
 */
export function scanYaml(all: readonly string[]): ScannedContent {
  const lines = cutLines(all);
  const draft = new ScanDraft();
  let start = 0;
  for (let i = 0; i <= lines.length; i++) {
    if (i < lines.length && !/^(?:---|\.\.\.)(?:\s|$)/.test(lines[i]!)) continue;
    scanDocument(draft, lines, start, i - 1);
    start = i + 1;
  }
  return draft.finish();
}

function scanDocument(draft: ScanDraft, lines: readonly string[], start: number, end: number): void {
  if (end < start) return;
  const roots = readKeys(lines, start, end);
  if (roots.length === 0) return;
  const kind = scalarOf(
    lines,
    roots.find((root) => root.name === 'kind'),
  );
  const metadata = roots.find((root) => root.name === 'metadata');
  const name = scalarOf(
    lines,
    metadata?.children.find((child) => child.name === 'name'),
  );
  if (!kind || !name) {
    addKeyTree(draft, lines, roots);
    return;
  }
  const last = lastFilled(lines, start, end);
  draft.add({
    name,
    kind: 'constant',
    qualifiedName: `${kind}/${name}`,
    signature: `${kind} ${name}`,
    startLine: roots[0]!.start + 1,
    endLine: last + 1,
  });
  const sections = new ScanDraft();
  addKeyTree(sections, lines, roots, [`${kind} ${name}`]);
  if (last - start < 60) draft.section([`${kind} ${name}`], roots[0]!.first + 1, last + 1);
  else for (const section of sections.sections) draft.section(section.path, section.startLine, section.endLine);
}

function readKeys(lines: readonly string[], start: number, end: number): KeyNode[] {
  const roots: KeyNode[] = [];
  let childIndent = -1;
  /** Lines with a deeper indentation belong to a block scalar. */
  let scalarIndent = -1;
  for (let i = start; i <= end; i++) {
    const line = lines[i]!;
    if (line.trim() === '') continue;
    const indent = line.length - line.trimStart().length;
    if (scalarIndent >= 0) {
      if (indent > scalarIndent) continue;
      scalarIndent = -1;
    }
    if (line[indent] === '#') continue;
    if (/:\s+[|>][+-]?\d?\s*(?:#.*)?$/.test(line)) scalarIndent = indent;
    const item = line.startsWith('- ');
    const root = roots[roots.length - 1];
    if (indent === 0) {
      const node = readKey(lines, i, line, item);
      // List items under a key may have the indentation of the key.
      if (item && root && !root.signature.startsWith('- ')) {
        root.end = i;
        continue;
      }
      if (node) {
        if (root) root.end = node.first - 1;
        roots.push(node);
        childIndent = -1;
      }
    } else if (root) {
      if (childIndent < 0) childIndent = indent;
      if (indent === childIndent && !root.signature.startsWith('- ')) {
        const child = readKey(lines, i, line, line.trimStart().startsWith('- '));
        const before = root.children[root.children.length - 1];
        if (child) {
          if (before) before.end = lastFilled(lines, before.start, child.first - 1);
          root.children.push(child);
        }
      }
    }
  }
  const last = roots[roots.length - 1];
  if (last) last.end = end;
  for (const root of roots) {
    root.end = lastFilled(lines, root.start, root.end);
    const child = root.children[root.children.length - 1];
    if (child) child.end = root.end;
  }
  return roots;
}

function readKey(lines: readonly string[], index: number, line: string, item: boolean): KeyNode | null {
  const match = KEY.exec(line);
  if (!match) return null;
  const key = (match[2] ?? match[3] ?? match[4]!).trim();
  if (key === '' || key.length > 100 || key === '<<') return null;
  // An item of a task list is named by its `name`: "- name: Install packages".
  const named = item && /^(?:name|id|title)$/.test(key) ? line.slice(match[0].length).trim() : '';
  const name = named ? named.replace(/^(["'])(.*)\1$/, '$2') : key;
  const { doc, first } = commentAbove(lines, index, COMMENT);
  return {
    name,
    first,
    start: index,
    end: index,
    column: line.indexOf(name),
    doc,
    signature: line.trim(),
    children: [],
  };
}

function scalarOf(lines: readonly string[], node: KeyNode | undefined): string {
  if (!node) return '';
  const value = lines[node.start]!.replace(/^[^:]*:\s*/, '')
    .replace(/\s+#.*$/, '')
    .trim();
  return value.replace(/^(["'])(.*)\1$/, '$2');
}
