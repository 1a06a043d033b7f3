/**
 * Matches -> ParsedFile, by the conventions of language.ts. Works on offsets and on the text that the caller holds; every question to a node
 * is a trip into wasm and is asked at most a few times per definition, never per reference.
 */
import {
  type DocSection,
  type ImportRecord,
  type Reference,
  type SymbolKind,
  type SymbolRecord,
  TYPE_KINDS,
} from '../../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../../language.ts';
import type { LineIndex } from '../line-index.ts';
import { bordersOf, SPLIT_LINES } from './borders.ts';
import type { Found } from './collect.ts';
import { bodyOf, docstringAt, innerDoc, signatureOf, VALUES } from './declaration.ts';
import { commentText, docstringText } from './doc-text.ts';
import { buildImports } from './import-records.ts';
import { cleanType, dropArguments, lastSegment, nodeText, trimmedEnd } from './node-text.ts';
import { placeDefinitions } from './placement.ts';
import { buildReferences } from './references.ts';
import { ScopeStack } from './scope-stack.ts';
import { buildSections } from './sections.ts';
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
  /** The tree has syntax errors: what looks like a definition may be a statement. */
  readonly broken?: boolean;
}

/** Words that begin a statement: `else if (x) {` behind an error reads like a function. */
const STATEMENTS: ReadonlySet<string> = new Set(['if', 'for', 'while', 'switch']);
/** Where methods have types in front, these too; elsewhere they may be called so (`catch() {}` of a promise). */
const BLOCKS: ReadonlySet<string> = new Set([
  'try',
  'catch',
  'finally',
  'else',
  'do',
  'return',
  'new',
  'throw',
  'lock',
  'using',
  'foreach',
  'synchronized',
]);
/** Qualified names grow with depth: without a limit a nest of definitions costs memory by the square. */
const MAX_DEPTH = 100;
const CALLABLE: ReadonlySet<SymbolKind> = new Set(['function', 'method']);
const LOCAL: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'field']);
/** A doc that stands directly in one of these is that of the next definition. */
const CONTAINERS: ReadonlySet<SymbolKind> = new Set(['module', 'protocol', 'extension']);

export function extract(input: ExtractInput): Extraction {
  const { text, lines, descriptor, found } = input;
  const surroundings = new Surroundings(text, input.seen, descriptor, found.comments, found.attributes);
  const { placed, hurried: tooMany } = placeDefinitions(descriptor, found, text, input.deadlineMs);
  const symbols: SymbolRecord[] = [];
  const extents: { start: number; end: number }[] = [];
  const docs = found.docs.map(({ node, inside }) => ({ start: node.startIndex, end: node.endIndex, inside }));
  const typesByName = new Map<string, number>();
  const scopes = new ScopeStack(found, text, descriptor.separator, typesByName);
  const namedAt = new Set<number>();
  const endBefore = (offset: number, index: number): void => {
    const symbol = symbols[index]!;
    const extent = extents[index]!;
    const endLine = Math.max(symbol.startLine, lines.lineAt(trimmedEnd(text, extent.start, offset)));
    extent.end = offset;
    const borders = symbol.borders?.filter((line) => line <= endLine);
    symbols[index] = { ...symbol, endLine, ...(borders && { borders }) };
  };
  let hurried = tooMany;
  for (const definition of placed) {
    if ((symbols.length & 63) === 63 && performance.now() > input.deadlineMs) {
      hurried = true;
      break;
    }
    const { found: raw, end } = definition;
    const dot = descriptor.dottedNames ? definition.name.lastIndexOf('.') : -1;
    const name = definition.name.slice(dot + 1);
    if (input.broken && CALLABLE.has(raw.kind) && (STATEMENTS.has(name) || (descriptor.typedHeads && BLOCKS.has(name))))
      continue;
    let frame = scopes.around(definition.start);
    // Where a brace is missing, the tree puts what follows into the definition before it.
    while (input.broken && frame && frame.kind !== 'module' && isBeside(text, lines, frame.start, definition.start)) {
      if (frame.symbol >= 0) endBefore(surroundings.before(definition.start).start, frame.symbol);
      scopes.leave();
      frame = scopes.around(definition.start);
    }
    // Several names of one node (`a, b = 1, 2`) are brothers.
    if (frame && frame.start === definition.start && frame.end === end && frame.symbol >= 0) {
      scopes.leave();
      frame = scopes.around(definition.start);
    }
    // `axios.all = function all() {}`: the function's own name says nothing new.
    if (frame && frame.end === end && frame.name === name && frame.symbol >= 0) {
      namedAt.add(raw.name.startIndex);
      continue;
    }
    if (scopes.depth >= MAX_DEPTH) {
      hurried = true;
      continue;
    }
    const nodeStart = raw.node.startIndex;
    const ownStart = surroundings.skipAttributes(definition.prefix ? nodeStart : definition.start);
    const body = raw.body ?? bodyOf(raw.node, raw.kind, descriptor);
    // The fields of a tuple struct are its signature.
    const isTuple =
      body !== null && (raw.kind === 'struct' || raw.kind === 'constant') && text[body.startIndex] === '(';
    const bodyStart = body && !isTuple && body.startIndex > ownStart ? body.startIndex : end;
    const signature = signatureOf(definition, surroundings, ownStart, bodyStart, body !== null && !isTuple);
    const parentKind = frame ? frame.kind : null;
    const kind = descriptor.kindOf ? descriptor.kindOf(raw.kind, name, parentKind, signature) : raw.kind;
    if (kind === null) continue;
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
    else if (!doc && body && descriptor.innerDoc) doc = innerDoc(text, body.startIndex, descriptor);

    const startLine = ownStart === nodeStart ? raw.node.row + 1 : lines.lineAt(ownStart);
    const endLine = Math.max(startLine, lines.lineAt(surroundings.lastOf(ownStart, end, lines)));
    const index = symbols.length;
    const borders =
      endLine - startLine >= SPLIT_LINES && performance.now() < input.deadlineMs
        ? bordersOf(body && body.namedChildren.length > 0 ? body : raw.node, startLine, endLine)
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
      nameLine: raw.name.row + 1,
      nameColumn: raw.name.column + 1 + (qualifier ? nodeText(raw.name, text).lastIndexOf(name) : dot + 1),
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
    scopes.enter({ start: definition.start, end, symbol: index, kind, name, qualifiedName, visibility: null });
  }
  for (const node of found.declared) namedAt.add(node.startIndex);
  attachDocs(docs, symbols, extents, text, descriptor);
  const imports = buildImports(found, text, descriptor);
  return {
    symbols: descriptor.refine ? [...descriptor.refine(symbols, text)] : symbols,
    references: buildReferences(
      found.references,
      namedAt,
      extents,
      text,
      descriptor,
      descriptor.knownReads ? knownNames(symbols, imports) : null,
    ),
    imports,
    sections: buildSections(found, text, lines),
    package: found.package ? nodeText(found.package, text).replace(/\s+/g, '') : '',
    hurried,
  };
}

/** On a later line, and no deeper than it. */
function isBeside(text: string, lines: LineIndex, outer: number, inner: number): boolean {
  const start = lines.startOf(lines.lineAt(inner));
  if (start <= outer) return false;
  const indent = indentAt(text, start);
  return start + indent === inner && indent <= indentAt(text, lines.startOf(lines.lineAt(outer)));
}

function indentAt(text: string, lineStart: number): number {
  let at = lineStart;
  while (at < text.length && text.charCodeAt(at) <= 32 && text.charCodeAt(at) !== 10) at++;
  return at - lineStart;
}

/** What a bare name can mean besides a local variable. */
function knownNames(symbols: readonly SymbolRecord[], imports: readonly ImportRecord[]): Set<string> {
  const names = new Set<string>();
  for (const { kind, name } of symbols) if (!VALUES.has(kind) && kind !== 'method') names.add(name);
  for (const record of imports) for (const { local } of record.names) names.add(local);
  return names;
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
    if (!inside && (target < 0 || CONTAINERS.has(symbols[target]!.kind))) {
      const next = extents.findIndex((extent, i) => extent.start >= end && i > target);
      if (next >= 0) target = next;
    }
    if (target < 0) continue;
    const raw = text.slice(start, end);
    const doc = /^[a-zA-Z@~]*\s*["'`]/.test(raw) ? docstringText(raw) : commentText(raw, descriptor);
    symbols[target] = { ...symbols[target]!, doc };
  }
}
