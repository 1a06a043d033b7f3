/**
 * Matches -> ParsedFile, by the conventions of language.ts. Works on offsets and on the text that the caller holds; every question to a node
 * is a trip into wasm and is asked at most a few times per definition, never per reference.
 */
import type { Node } from 'web-tree-sitter';
import type {
  DocSection,
  ImportRecord,
  Reference,
  ReferenceKind,
  SymbolKind,
  SymbolRecord,
  Visibility,
} from '../model/symbol.ts';
import { bordersOf, SPLIT_LINES } from './borders.ts';
import type { Found, FoundDefinition, FoundReference } from './collect.ts';
import { commentText, docstringText } from './doc-text.ts';
import type { LanguageDescriptor } from './language.ts';
import type { LineIndex } from './line-index.ts';
import { Surroundings } from './surroundings.ts';

export interface Extraction {
  readonly symbols: SymbolRecord[];
  readonly references: Reference[];
  readonly imports: ImportRecord[];
  readonly sections: DocSection[];
  readonly package: string;
  /** Time ran out while looking around definitions: some have no wrapper, doc or borders. */
  readonly hurried: boolean;
}

export interface ExtractInput {
  readonly descriptor: LanguageDescriptor;
  readonly text: string;
  /** What the grammar saw: the text, masked where the language has a mask. */
  readonly seen: string;
  readonly lines: LineIndex;
  readonly found: Found;
  readonly deadlineMs: number;
}

const MAX_SIGNATURE = 400;
const MAX_VALUE_SIGNATURE = 200;
const MAX_RECEIVER = 120;
const MAX_NAME = 200;
const LOCAL: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'field']);
const VALUES: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'field', 'property']);
const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  'class',
  'struct',
  'interface',
  'protocol',
  'trait',
  'enum',
  'type',
  'module',
]);
/** Where patterns overlap, the most telling kind of a reference is kept. */
const RANK: Readonly<Record<ReferenceKind, number>> = { inherit: 0, conform: 1, extend: 2, call: 3, type: 4, read: 5 };

/** A definition with its place settled. */
interface Placed {
  readonly found: FoundDefinition;
  readonly name: string;
  /** Start of the node or of what wraps it; decides containment. */
  start: number;
  readonly end: number;
  wrapper: Node | null;
  /** `const` of a shared declaration, to begin the signature with. */
  prefix: string;
}

interface Frame {
  readonly start: number;
  readonly end: number;
  /** Symbol, or -1 for a mere scope. */
  readonly symbol: number;
  readonly kind: SymbolKind;
  readonly qualifiedName: string;
  visibility: Visibility | null;
}

export function extract(input: ExtractInput): Extraction {
  const { text, lines, descriptor, found } = input;
  const surroundings = new Surroundings(text, input.seen, descriptor, found.comments, found.attributes);
  const { placed, hurried } = placeDefinitions(input);
  const symbols: SymbolRecord[] = [];
  const extents: { start: number; end: number }[] = [];
  const typesByName = new Map<string, number>();
  const docs = found.docs.map(({ node, inside }) => ({ start: node.startIndex, end: node.endIndex, inside }));
  const scopes = found.scopes
    .map(({ node, name }) => ({
      start: node.startIndex,
      end: node.endIndex,
      name: name ? cleanType(nodeText(name, text)) : '',
    }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const markers = found.markers
    .map(({ node, visibility }) => ({ start: node.startIndex, visibility }))
    .sort((a, b) => a.start - b.start);
  const frames: Frame[] = [];
  let nextScope = 0;
  let nextMarker = 0;
  const namedAt = new Set<number>();

  const enclosing = (offset: number): Frame | undefined => {
    while (frames.length > 0 && frames[frames.length - 1]!.end <= offset) frames.pop();
    return frames[frames.length - 1];
  };
  /** Scopes and visibility markers up to an offset, in order. */
  const passTo = (offset: number): void => {
    for (;;) {
      const scope = scopes[nextScope];
      const marker = markers[nextMarker];
      if (scope && scope.start <= offset && (!marker || scope.start <= marker.start)) {
        const outer = enclosing(scope.start);
        const symbol = typesByName.get(scope.name) ?? -1;
        frames.push({
          start: scope.start,
          end: scope.end,
          symbol: symbol >= 0 ? symbol : (outer?.symbol ?? -1),
          kind: scope.name || !outer ? 'extension' : outer.kind,
          qualifiedName: [outer?.qualifiedName, scope.name].filter(Boolean).join(descriptor.separator),
          visibility: null,
        });
        nextScope++;
      } else if (marker && marker.start <= offset) {
        const frame = enclosing(marker.start);
        if (frame) frame.visibility = marker.visibility;
        nextMarker++;
      } else return;
    }
  };

  for (const definition of placed) {
    const { found: raw, end } = definition;
    const dot = descriptor.dottedNames ? definition.name.lastIndexOf('.') : -1;
    const name = definition.name.slice(dot + 1);
    passTo(definition.start);
    let frame = enclosing(definition.start);
    // Several names of one node (`a, b = 1, 2`) are brothers.
    if (frame && frame.start === definition.start && frame.end === end && frame.symbol >= 0) {
      frames.pop();
      frame = enclosing(definition.start);
    }
    const nodeStart = raw.node.startIndex;
    const ownStart = surroundings.skipAttributes(definition.prefix ? nodeStart : definition.start);
    const body = raw.body ?? bodyOf(raw.node, raw.kind, descriptor);
    const bodyStart = body && body.startIndex > ownStart ? body.startIndex : end;
    const signature = signatureOf(definition, surroundings, ownStart, bodyStart, body !== null);
    const parentKind = frame ? frame.kind : null;
    const kind = descriptor.kindOf ? descriptor.kindOf(raw.kind, name, parentKind, signature) : raw.kind;
    if (LOCAL.has(kind) && (parentKind === 'function' || parentKind === 'method')) continue;

    const qualifier = raw.receiver || !descriptor.receiverOf ? '' : descriptor.receiverOf(nodeText(raw.name, text));
    const receiver = raw.receiver ? cleanType(nodeText(raw.receiver, text)) : dropArguments(qualifier);
    const receiverType = receiver ? lastSegment(receiver, descriptor) : '';
    const parent = (receiver ? typesByName.get(receiverType) : undefined) ?? (frame ? frame.symbol : -1);
    const previous = symbols[symbols.length - 1];
    if (
      descriptor.continues &&
      previous?.name === name &&
      previous.kind === kind &&
      previous.parent === parent &&
      descriptor.continues(previous.signature, signature)
    ) {
      const index = symbols.length - 1;
      symbols[index] = { ...previous, endLine: lines.lineAt(trimmedEnd(text, ownStart, end)) };
      extents[index]!.end = end;
      namedAt.add(raw.name.startIndex);
      continue;
    }
    const outer = frame?.qualifiedName ?? '';
    const qualifiedName = descriptor.qualify
      ? descriptor.qualify(outer, receiver, definition.name, kind)
      : [outer, receiver, definition.name].filter(Boolean).join(descriptor.separator);
    const lead = surroundings.before(definition.start);
    let { doc, start: fullStart } = lead;
    if (!doc && definition.start !== nodeStart) {
      const inner = surroundings.before(nodeStart);
      if (inner.doc && inner.start >= definition.start) doc = inner.doc;
      if (inner.start < fullStart) fullStart = inner.start;
    }
    if (definition.start < fullStart) fullStart = definition.start;
    if (descriptor.doc === 'docstring-inside' && body) doc = docstringAt(text, body.startIndex) || doc;
    else if (descriptor.doc === 'none') doc = '';
    else if (!doc && body && descriptor.lineComment === '//') doc = innerDoc(text, body.startIndex, descriptor);

    const startLine = ownStart === nodeStart ? raw.node.startPosition.row + 1 : lines.lineAt(ownStart);
    const endLine = Math.max(startLine, lines.lineAt(trimmedEnd(text, ownStart, end)));
    const namePosition = raw.name.startPosition;
    const index = symbols.length;
    const borders =
      endLine - startLine >= SPLIT_LINES && performance.now() < input.deadlineMs
        ? bordersOf(body ?? raw.node, startLine, endLine)
        : null;
    const record: SymbolRecord = {
      name,
      kind,
      parent,
      qualifiedName,
      signature,
      doc,
      visibility: descriptor.visibilityOf?.(signature, name, kind, parentKind) ?? 'public',
      fullStartLine: Math.min(lines.lineAt(fullStart), startLine),
      startLine,
      endLine,
      nameLine: namePosition.row + 1,
      nameColumn: namePosition.column + 1 + (qualifier ? nodeText(raw.name, text).lastIndexOf(name) : 0),
    };
    // A receiver written in front (`def self.m`) is outside of the marker's reach; one that comes from around (`class << self`) is not.
    const ownReceiver = raw.receiver !== null && raw.receiver.startIndex >= nodeStart;
    const takesMark = !ownReceiver && (descriptor.markedKinds?.includes(kind) ?? true);
    const mark = takesMark ? frame?.visibility : null;
    const marked = mark ? { ...record, visibility: mark } : record;
    symbols.push(borders ? { ...marked, borders } : marked);
    extents.push({ start: definition.start, end });
    namedAt.add(raw.name.startIndex);
    if (TYPE_KINDS.has(kind) && !typesByName.has(name)) typesByName.set(name, index);
    frames.push({ start: definition.start, end, symbol: index, kind, qualifiedName, visibility: null });
  }
  attachDocs(docs, symbols, extents, text, descriptor);
  return {
    symbols: descriptor.refine ? [...descriptor.refine(symbols, text)] : symbols,
    references: buildReferences(found.references, namedAt, extents, text, descriptor),
    imports: buildImports(found, text, descriptor),
    sections: buildSections(found, text, lines),
    package: found.package ? nodeText(found.package, text).replace(/\s+/g, '') : '',
    hurried,
  };
}

function placeDefinitions({ descriptor, found, text, deadlineMs }: ExtractInput): {
  placed: Placed[];
  hurried: boolean;
} {
  const byName = new Map<number, FoundDefinition>();
  for (const definition of found.definitions) {
    const key = definition.name.startIndex;
    const known = byName.get(key);
    if (
      !known ||
      definition.pattern < known.pattern ||
      (definition.pattern === known.pattern && definition.captureCount > known.captureCount)
    )
      byName.set(key, definition);
  }
  const wrappers = new Set(descriptor.wrapperNodes);
  const sharing = new Map<number, Placed>();
  const placed: Placed[] = [];
  let hurried = false;
  let count = 0;
  for (const definition of byName.values()) {
    const name = nameOf(definition.name, text, descriptor);
    if (!name) continue;
    const { node } = definition;
    const entry: Placed = {
      found: definition,
      name,
      start: node.startIndex,
      end: Math.max(node.endIndex, definition.body?.endIndex ?? 0),
      wrapper: null,
      prefix: '',
    };
    // Parents are found from the root down: in a nest of thousands of definitions that is quadratic, so the clock is watched.
    if ((++count & 63) === 0 && performance.now() > deadlineMs) hurried = true;
    if (wrappers.size > 0 && !hurried) {
      let wrapper: Node | null = null;
      for (let up = node.parent; up && wrappers.has(up.type); up = up.parent) wrapper = up;
      if (wrapper) {
        const brother = sharing.get(wrapper.id);
        if (!brother) {
          sharing.set(wrapper.id, entry);
          entry.wrapper = wrapper;
          entry.start = wrapper.startIndex;
        } else if (brother.found.node.id !== node.id) {
          // A declaration of several names: each keeps its own place, and its signature begins with the declaration's keyword.
          if (brother.wrapper) {
            brother.prefix = keywordOf(text, brother.start, brother.found.node.startIndex);
            brother.start = brother.found.node.startIndex;
            brother.wrapper = null;
          }
          entry.prefix = brother.prefix;
        } else entry.start = brother.start;
      }
    }
    placed.push(entry);
  }
  placed.sort((a, b) => a.start - b.start || b.end - a.end || a.found.name.startIndex - b.found.name.startIndex);
  return { placed, hurried };
}

function keywordOf(text: string, start: number, end: number): string {
  return /^[\w\s]*/
    .exec(text.slice(start, Math.min(end, start + 80)))![0]
    .replace(/\s+/g, ' ')
    .trim();
}

function nameOf(node: Node, text: string, descriptor: LanguageDescriptor): string {
  const raw = nodeText(node, text);
  if (raw.length > MAX_NAME * 4) return '';
  const name = descriptor.nameOf ? descriptor.nameOf(raw) : raw.replace(/^[`'"]|[`'"]$/g, '').replace(/\s+/g, ' ');
  return name.slice(0, MAX_NAME);
}

function bodyOf(node: Node, kind: SymbolKind, descriptor: LanguageDescriptor): Node | null {
  const body = node.childForFieldName('body');
  if (body || descriptor.bodyNodes.length === 0 || VALUES.has(kind)) return body;
  for (const child of node.namedChildren) if (child && descriptor.bodyNodes.includes(child.type)) return child;
  return null;
}

function signatureOf(
  definition: Placed,
  surroundings: Surroundings,
  start: number,
  bodyStart: number,
  hasBody: boolean,
): string {
  const limit = !hasBody && VALUES.has(definition.found.kind) ? MAX_VALUE_SIGNATURE : MAX_SIGNATURE;
  const raw = surroundings.withoutComments(start, Math.min(bodyStart, start + limit * 4));
  let text = raw.replace(/\s+/g, ' ').trim();
  if (hasBody) text = text.replace(/\s*(?:\{|=>|:|=|,|\bdo|\bthen)$/, '').trimEnd();
  else text = text.replace(/\s*[;,{]$/, '');
  if (definition.prefix) text = `${definition.prefix} ${text}`;
  return text.length > limit ? `${text.slice(0, limit - 1).trimEnd()}…` : text;
}

function docstringAt(text: string, bodyStart: number): string {
  const match = /(?:^|:)?\s*[rRuUbBfF]{0,2}("""|'''|"|')/y;
  match.lastIndex = bodyStart;
  const open = match.exec(text);
  if (!open) return '';
  const from = match.lastIndex;
  const quote = open[1]!;
  let end = text.indexOf(quote, from);
  while (end > 0 && text[end - 1] === '\\' && text[end - 2] !== '\\') end = text.indexOf(quote, end + 1);
  if (end < 0 || (quote.length === 1 && text.slice(from, end).includes('\n'))) return '';
  return docstringText(text.slice(from, end));
}

/** `//!` at the beginning of a body documents what it stands in. */
function innerDoc(text: string, bodyStart: number, descriptor: LanguageDescriptor): string {
  const match = /\{\s*((?:\/\/![^\n]*\n\s*)+)/y;
  match.lastIndex = bodyStart;
  const found = match.exec(text);
  return found ? commentText(found[1]!, descriptor) : '';
}

function attachDocs(
  docs: { start: number; end: number; inside: boolean }[],
  symbols: SymbolRecord[],
  extents: readonly { start: number; end: number }[],
  text: string,
  descriptor: LanguageDescriptor,
): void {
  for (const { start, end, inside } of docs) {
    let target = -1;
    for (let i = 0; i < extents.length && extents[i]!.start <= start; i++) if (extents[i]!.end >= end) target = i;
    if (!inside && (target < 0 || symbols[target]!.kind === 'module')) {
      const next = extents.findIndex((extent, i) => extent.start >= end && i > target);
      if (next >= 0) target = next;
    }
    if (target < 0) continue;
    const raw = text.slice(start, end);
    const doc = /^[a-zA-Z@~]*\s*["'`]/.test(raw) ? docstringText(raw) : commentText(raw, descriptor);
    symbols[target] = { ...symbols[target]!, doc };
  }
}

function buildReferences(
  found: readonly FoundReference[],
  namedAt: ReadonlySet<number>,
  extents: readonly { start: number; end: number }[],
  text: string,
  descriptor: LanguageDescriptor,
): Reference[] {
  // What an extension extends is also its name.
  const sorted = found.filter(({ kind, node }) => kind === 'extend' || !namedAt.has(node.startIndex));
  sorted.sort((a, b) => a.node.startIndex - b.node.startIndex || RANK[a.kind] - RANK[b.kind]);
  const references: Reference[] = [];
  const stack: number[] = [];
  let next = 0;
  for (let i = 0; i < sorted.length; i++) {
    const reference = sorted[i]!;
    const start = reference.node.startIndex;
    let receiverNode = reference.receiver;
    while (i + 1 < sorted.length && sorted[i + 1]!.node.startIndex === start) {
      if (sorted[i + 1]!.kind === reference.kind) receiverNode ??= sorted[i + 1]!.receiver;
      i++;
    }
    let name = nodeText(reference.node, text);
    if (name.length === 0 || name.length > MAX_NAME) continue;
    let receiver = receiverNode ? receiverText(receiverNode, text) : '';
    const dot = descriptor.dottedNames ? name.lastIndexOf('.') : -1;
    if (dot > 0) {
      receiver = name.slice(0, dot);
      name = name.slice(dot + 1);
    }
    if (descriptor.keepReference && !descriptor.keepReference(name, receiver)) continue;
    while (next < extents.length && extents[next]!.start <= start) stack.push(next++);
    while (stack.length > 0 && extents[stack[stack.length - 1]!]!.end <= start) stack.pop();
    const position = reference.node.startPosition;
    references.push({
      kind: reference.kind,
      name,
      receiver,
      line: position.row + 1,
      column: position.column + 1,
      from: stack.length > 0 ? stack[stack.length - 1]! : -1,
    });
  }
  return references;
}

/** The end of a long receiver is what tells its type. */
function receiverText(node: Node, text: string): string {
  const end = node.endIndex;
  const start = Math.max(node.startIndex, end - MAX_RECEIVER * 4);
  const folded = text.slice(start, end).replace(/\s+/g, ' ');
  return folded.length > MAX_RECEIVER ? folded.slice(-MAX_RECEIVER) : folded;
}

function buildImports(found: Found, text: string, descriptor: LanguageDescriptor): ImportRecord[] {
  interface Draft {
    readonly start: number;
    readonly end: number;
    readonly line: number;
    source: string;
    alias: string;
    readonly names: { at: number; text: string; local: boolean }[];
  }
  const drafts = new Map<number, Draft>();
  const statements = found.imports.filter((item) => item.node).sort((a, b) => a.node!.startIndex - b.node!.startIndex);
  for (const { node } of statements) {
    const start = node!.startIndex;
    if (!drafts.has(start))
      drafts.set(start, {
        start,
        end: node!.endIndex,
        line: node!.startPosition.row + 1,
        source: '',
        alias: '',
        names: [],
      });
  }
  const list = [...drafts.values()];
  if (descriptor.readImports) {
    const read = descriptor.readImports;
    return list.flatMap(({ start, end, line }) => read(text.slice(start, end)).map((record) => ({ ...record, line })));
  }
  for (const item of found.imports) {
    const at = (item.node ?? item.source ?? item.alias ?? item.names[0]!.node).startIndex;
    let draft = drafts.get(at);
    if (!item.node) draft = list.findLast((candidate) => candidate.start <= at && candidate.end > at);
    if (!draft) continue;
    if (item.source) draft.source = unquote(nodeText(item.source, text));
    if (item.alias) draft.alias = nodeText(item.alias, text);
    for (const { node, local } of item.names)
      if (!draft.names.some((name) => name.at === node.startIndex && name.local === local))
        draft.names.push({ at: node.startIndex, text: unquote(nodeText(node, text)), local });
  }
  return list
    .filter((draft) => draft.source || draft.names.length > 0)
    .map(({ source, alias, line, names }) => ({ source, names: pairNames(names), alias, line }));
}

function pairNames(found: { at: number; text: string; local: boolean }[]): { name: string; local: string }[] {
  const names: { name: string; local: string }[] = [];
  for (const { text, local } of found.sort((a, b) => a.at - b.at)) {
    const last = names[names.length - 1];
    if (local && last) names[names.length - 1] = { name: last.name, local: text };
    else names.push({ name: text, local: text });
  }
  return names;
}

function buildSections(found: Found, text: string, lines: LineIndex): DocSection[] {
  if (found.sections.length === 0) return [];
  const ranges = found.sections
    .map(({ node, title }) => ({
      start: node.startIndex,
      end: node.endIndex,
      title: title ? nodeText(title, text).replace(/\s+/g, ' ').trim() : '',
    }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const sections: { path: string[]; startLine: number; endLine: number }[] = [];
  const open: { end: number; title: string }[] = [];
  const firstLine = lines.lineAt(ranges[0]!.start);
  if (firstLine > 1) sections.push({ path: [], startLine: 1, endLine: firstLine - 1 });
  for (const { start, end, title } of ranges) {
    while (open.length > 0 && open[open.length - 1]!.end <= start) open.pop();
    if (title) open.push({ end, title });
    const startLine = lines.lineAt(start);
    const previous = sections[sections.length - 1];
    if (previous && previous.startLine < startLine) previous.endLine = Math.min(previous.endLine, startLine - 1);
    if (previous?.startLine === startLine) sections.pop();
    sections.push({
      path: open.map((section) => section.title),
      startLine,
      endLine: Math.max(startLine, lines.lineAt(trimmedEnd(text, start, end))),
    });
  }
  return sections;
}

function nodeText(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex);
}

function cleanType(raw: string): string {
  return raw.replace(/[[<(].*$/s, '').replace(/[\s*&]/g, '');
}

/** `A<T>::B<U>` gives `A::B`. */
function dropArguments(raw: string): string {
  let text = raw.replace(/\s+/g, '');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/<[^<>]*>/g, '');
  }
  return text;
}

function lastSegment(qualified: string, { separator }: LanguageDescriptor): string {
  const at = qualified.lastIndexOf(separator);
  return at < 0 ? qualified : qualified.slice(at + separator.length);
}

function unquote(raw: string): string {
  return raw.replace(/^["'`<]|["'`>]$/g, '');
}

/** Offset of the last character that is not white space. */
function trimmedEnd(text: string, start: number, end: number): number {
  let at = end - 1;
  while (at > start && text.charCodeAt(at) <= 32) at--;
  return at;
}
