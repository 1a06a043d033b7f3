/**
 * Turns definitions into symbols, in the order of their starts: finds the scope, the parent, the signature and the doc
 * of each.
 */

import { type SymbolKind, type SymbolRecord, TYPE_KINDS } from '../../../model/records/symbol.ts';
import { cpuMs } from '../../../model/runtime/cpu-time.ts';
import type { LanguageDescriptor } from '../../language.ts';
import type { SyntaxNode } from '../grammar/syntax-node.ts';
import { bordersOf, SPLIT_LINES } from './borders.ts';
import { bodyOf, docstringAt, innerDoc, signatureOf } from './declaration.ts';
import type { ExtractInput } from './extract.ts';
import { cleanType, dropArguments, lastSegment, nodeText, trimmedEnd } from './node-text.ts';
import type { Placed } from './placement.ts';
import { type Frame, ScopeStack } from './scope-stack.ts';
import { Surroundings } from './surroundings.ts';

/** Keywords of statements: after a syntax error, `else if (x) {` reads like a function. */
const STATEMENTS: ReadonlySet<string> = new Set(['if', 'for', 'while', 'switch']);
/**
 * Further keywords in languages whose functions begin with a type; in others they are valid names (`catch() {}` of a
 * promise).
 */
const BLOCKS: ReadonlySet<string> = new Set(
  'try catch finally else do return new throw lock using foreach synchronized'.split(' '),
);
/** Qualified names grow with depth: without a limit, nested definitions would take quadratic memory. */
const MAX_DEPTH = 100;
const CALLABLE: ReadonlySet<SymbolKind> = new Set(['function', 'method']);
const LOCAL: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'field']);

export interface Extent {
  readonly start: number;
  end: number;
}

/** A definition with the data read from its text. */
interface Declared {
  readonly definition: Placed;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly body: SyntaxNode | null;
  readonly signature: string;
  /** The start without attributes. */
  readonly ownStart: number;
  readonly frame: Frame | undefined;
}

export class SymbolBuilder {
  readonly symbols: SymbolRecord[] = [];
  readonly extents: Extent[] = [];
  /** Offsets of names that define something: they are no references. */
  readonly namedAt = new Set<number>();
  /** Definitions were dropped because they are nested too deeply. */
  tooDeep = false;
  readonly #input: ExtractInput;
  readonly #descriptor: LanguageDescriptor;
  readonly #surroundings: Surroundings;
  readonly #typesByName = new Map<string, number>();
  readonly #scopes: ScopeStack;

  constructor(input: ExtractInput) {
    const { text, seen, descriptor, found } = input;
    this.#input = input;
    this.#descriptor = descriptor;
    this.#surroundings = new Surroundings(text, seen, descriptor, found.comments, found.attributes);
    this.#scopes = new ScopeStack(found, text, descriptor.separator, this.#typesByName);
  }

  add(definition: Placed): void {
    const { found: raw, end } = definition;
    const dot = this.#descriptor.dottedNames ? definition.name.lastIndexOf('.') : -1;
    const name = definition.name.slice(dot + 1);
    if (this.#isStatement(raw.kind, name)) return;
    const frame = this.#frameOf(definition);
    // `axios.all = function all() {}`: the name of the function expression adds nothing.
    if (frame && frame.end === end && frame.name === name && frame.symbol >= 0) {
      this.namedAt.add(raw.name.startIndex);
      return;
    }
    if (this.#scopes.depth >= MAX_DEPTH) {
      this.tooDeep = true;
      return;
    }
    const declared = this.#declaration(definition, name, frame);
    if (declared) this.#push(declared, dot);
  }

  #isStatement(kind: SymbolKind, name: string): boolean {
    if (!this.#input.broken || !CALLABLE.has(kind)) return false;
    return STATEMENTS.has(name) || (this.#descriptor.typedHeads === true && BLOCKS.has(name));
  }

  /** The frame of the definition that encloses this one. */
  #frameOf({ start, end }: Placed): Frame | undefined {
    const { text, lines, broken } = this.#input;
    let frame = this.#scopes.around(start);
    // After a missing brace, the tree nests following definitions into the one before.
    while (broken && frame && frame.kind !== 'module' && isBeside(text, lines, frame.start, start)) {
      if (frame.symbol >= 0) this.#endBefore(this.#surroundings.before(start).start, frame.symbol);
      this.#scopes.leave();
      frame = this.#scopes.around(start);
    }
    // Several names of one node (`a, b = 1, 2`) are siblings.
    if (frame && frame.start === start && frame.end === end && frame.symbol >= 0) {
      this.#scopes.leave();
      frame = this.#scopes.around(start);
    }
    return frame;
  }

  #endBefore(offset: number, index: number): void {
    const { text, lines } = this.#input;
    const symbol = this.symbols[index]!;
    const extent = this.extents[index]!;
    const endLine = Math.max(symbol.startLine, lines.lineAt(trimmedEnd(text, extent.start, offset)));
    extent.end = offset;
    const borders = symbol.borders?.filter((line) => line <= endLine);
    this.symbols[index] = { ...symbol, endLine, ...(borders && { borders }) };
  }

  /** Null for no definition, and for one that is local to a function. */
  #declaration(definition: Placed, name: string, frame: Frame | undefined): Declared | null {
    const { found: raw, end, prefix, start } = definition;
    const ownStart = this.#surroundings.skipAttributes(prefix ? raw.node.startIndex : start);
    const body = raw.body ?? bodyOf(raw.node, raw.kind, this.#descriptor);
    // The signature of a tuple struct includes its fields.
    const isTuple =
      body !== null && (raw.kind === 'struct' || raw.kind === 'constant') && this.#input.text[body.startIndex] === '(';
    const bodyStart = body && !isTuple && body.startIndex > ownStart ? body.startIndex : end;
    const signature = signatureOf(definition, this.#surroundings, ownStart, bodyStart, body !== null && !isTuple);
    const parentKind = frame ? frame.kind : null;
    const { kindOf } = this.#descriptor;
    const kind = kindOf ? kindOf(raw.kind, name, parentKind, signature) : raw.kind;
    if (kind === null) return null;
    if (LOCAL.has(kind) && (parentKind === 'function' || parentKind === 'method')) return null;
    return { definition, name, kind, body, signature, ownStart, frame };
  }

  #push(declared: Declared, dot: number): void {
    const { definition, name, kind, signature, frame } = declared;
    const { found: raw, end, start } = definition;
    const { text } = this.#input;
    const descriptor = this.#descriptor;
    const qualifier = raw.receiver || !descriptor.receiverOf ? '' : descriptor.receiverOf(nodeText(raw.name, text));
    const receiver = raw.receiver ? cleanType(nodeText(raw.receiver, text)) : dropArguments(qualifier);
    const receiverType = receiver ? lastSegment(receiver, descriptor) : '';
    const parent = (receiver ? this.#typesByName.get(receiverType) : undefined) ?? (frame ? frame.symbol : -1);
    this.namedAt.add(raw.name.startIndex);
    if (this.#continuesLast(declared, parent)) return;
    const outer = frame?.qualifiedName ?? '';
    const qualifiedName = descriptor.qualify
      ? descriptor.qualify(outer, receiver, definition.name, kind)
      : [outer, receiver, definition.name].filter(Boolean).join(descriptor.separator);
    const { doc, ...place } = this.#docAndLines(declared);
    const record: SymbolRecord = {
      name,
      kind,
      parent,
      qualifiedName,
      signature,
      doc,
      visibility: descriptor.visibilityOf?.(signature, name, kind, frame ? frame.kind : null) ?? 'public',
      ...place,
      nameLine: raw.name.row + 1,
      nameColumn: raw.name.column + 1 + (qualifier ? nodeText(raw.name, text).lastIndexOf(name) : dot + 1),
    };
    const index = this.symbols.length;
    this.symbols.push(this.#marked(this.#bordered(record, declared), declared));
    this.extents.push({ start, end });
    if (TYPE_KINDS.has(kind) && !this.#typesByName.has(name)) this.#typesByName.set(name, index);
    this.#scopes.enter({ start, end, symbol: index, kind, name, qualifiedName, visibility: null });
  }

  /** A further clause extends the definition before and is no symbol of its own. */
  #continuesLast({ definition, name, kind, signature, ownStart }: Declared, parent: number): boolean {
    const { text, lines } = this.#input;
    const index = this.symbols.length - 1;
    const previous = this.symbols[index];
    if (
      !previous ||
      previous.name !== name ||
      previous.kind !== kind ||
      previous.parent !== parent ||
      !this.#descriptor.continues?.(previous.signature, signature)
    )
      return false;
    this.symbols[index] = { ...previous, endLine: lines.lineAt(trimmedEnd(text, ownStart, definition.end)) };
    this.extents[index]!.end = definition.end;
    return true;
  }

  #docAndLines({
    definition,
    body,
    ownStart,
  }: Declared): Pick<SymbolRecord, 'doc' | 'fullStartLine' | 'startLine' | 'endLine'> {
    const { text, lines } = this.#input;
    const descriptor = this.#descriptor;
    const nodeStart = definition.found.node.startIndex;
    let { doc, start: fullStart } = this.#surroundings.before(definition.start);
    if (!doc && definition.start !== nodeStart) {
      const inner = this.#surroundings.before(nodeStart);
      if (inner.doc && inner.start >= definition.start) doc = inner.doc;
      if (inner.start < fullStart) fullStart = inner.start;
    }
    if (definition.start < fullStart) fullStart = definition.start;
    if (descriptor.doc === 'docstring-inside' && body) doc = docstringAt(text, body.startIndex) || doc;
    else if (descriptor.doc === 'none') doc = '';
    else if (!doc && body && descriptor.innerDoc) doc = innerDoc(text, body.startIndex, descriptor);
    const startLine = ownStart === nodeStart ? definition.found.node.row + 1 : lines.lineAt(ownStart);
    const endLine = Math.max(startLine, lines.lineAt(this.#surroundings.lastOf(ownStart, definition.end, lines)));
    return { doc, fullStartLine: Math.min(lines.lineAt(fullStart), startLine), startLine, endLine };
  }

  /** Adds the lines at which a large definition may be split. */
  #bordered(record: SymbolRecord, { definition, body }: Declared): SymbolRecord {
    const { startLine, endLine } = record;
    if (endLine - startLine < SPLIT_LINES || cpuMs() >= this.#input.deadlineMs) return record;
    const node = body && body.namedChildren.length > 0 ? body : definition.found.node;
    const borders = bordersOf(node, startLine, endLine);
    return borders ? { ...record, borders } : record;
  }

  #marked(record: SymbolRecord, { definition, frame }: Declared): SymbolRecord {
    const { receiver, node } = definition.found;
    // An explicit receiver (`def self.m`) is outside of the marker's reach; one from an enclosing scope (`class <<
    // self`) is not.
    const ownReceiver = receiver !== null && receiver.startIndex >= node.startIndex;
    const takesMark = !ownReceiver && (this.#descriptor.markedKinds?.includes(record.kind) ?? true);
    const mark = takesMark ? frame?.visibility : null;
    return mark ? { ...record, visibility: mark } : record;
  }
}

/** The inner definition is on a later line and not indented deeper than the outer one. */
function isBeside(text: string, lines: ExtractInput['lines'], outer: number, inner: number): boolean {
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
