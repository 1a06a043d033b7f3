import { pattern } from '../../../model/text/pattern.ts';
import { lastFilled, type ScanDraft } from './scan-draft.ts';

/** A key of a data file with its lines (0-based, inclusive) and the keys below it. */
export interface KeyNode {
  readonly name: string;
  /** The start of the comment above the key, else `start`. */
  readonly first: number;
  readonly start: number;
  end: number;
  readonly column: number;
  readonly doc: string;
  readonly signature: string;
  readonly children: KeyNode[];
}

/**
 * Keys whose children are names that people search for, in blocks of any size: npm scripts, CI jobs, compose services,
 * API paths.
 */
const NAMED_COLLECTIONS = pattern('i')`
  ^(?:scripts|jobs|services|tasks|targets|commands|bin|paths|definitions|schemas|components|stages|pipelines|networks
  |volumes|features|aliases|recipes|profiles|workflows|tool|contributes|exports|imports|env|variables|locals
  |permissions)$
`;
/** A block of at least this many lines is large: its second level gets sections and symbols, too. */
const LARGE_BLOCK = 40;
/** Blocks of fewer lines share a section with their neighbours. */
const SMALL_SECTION = 3;

/**
 * Top-level keys become constants and sections; so do second-level keys of large blocks and named collections. `path`
 * precedes every section title (the name of the document in a file of several).
 */
export function addKeyTree(
  draft: ScanDraft,
  lines: readonly string[],
  roots: readonly KeyNode[],
  path: readonly string[] = [],
): void {
  let loose = -1;
  let looseEnd = -1;
  const flush = () => {
    if (loose >= 0) draft.section(path, loose + 1, lastFilled(lines, loose, looseEnd) + 1);
    loose = -1;
  };
  for (const root of roots) {
    const symbol = addKey(draft, root, -1);
    const large = root.end - root.start + 1 >= LARGE_BLOCK;
    if (large || NAMED_COLLECTIONS.test(root.name)) for (const child of root.children) addKey(draft, child, symbol);
    if (root.end - root.first + 1 < SMALL_SECTION && looseEnd - loose < LARGE_BLOCK) {
      if (loose < 0) loose = root.first;
      looseEnd = root.end;
      continue;
    }
    flush();
    if (large && root.children.length > 1) addChildSections(draft, lines, root, [...path, root.name]);
    else draft.section([...path, root.name], root.first + 1, lastFilled(lines, root.first, root.end) + 1);
  }
  flush();
}

/** The head of a large block, then its children; small neighbours share a section. */
function addChildSections(draft: ScanDraft, lines: readonly string[], root: KeyNode, path: readonly string[]): void {
  let start = root.first;
  let name = '';
  let count = 0;
  for (const child of root.children) {
    if (count > 0 && child.first - start >= SMALL_SECTION) {
      draft.section([...path, name], start + 1, lastFilled(lines, start, child.first - 1) + 1);
      start = child.first;
      count = 0;
    }
    if (count === 0) name = child.name;
    count++;
  }
  draft.section([...path, name], start + 1, lastFilled(lines, start, root.end) + 1);
}

function addKey(draft: ScanDraft, node: KeyNode, parent: number): number {
  return draft.add({
    name: node.name,
    kind: 'constant',
    parent,
    signature: node.signature,
    doc: node.doc,
    fullStartLine: node.first + 1,
    startLine: node.start + 1,
    endLine: node.end + 1,
    nameColumn: node.column + 1,
  });
}
