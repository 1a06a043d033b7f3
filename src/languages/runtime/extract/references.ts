/** The references of a file in source order, one for each place, with the innermost definition that contains it. */
import type { Reference, ReferenceKind } from '../../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../../language.ts';
import type { SyntaxNode } from '../grammar/syntax-node.ts';
import type { FoundReference } from './collect.ts';
import { nodeText, wordEnd } from './node-text.ts';

/** Characters after a name that are passed to `keepReference`. */
const MAX_AFTER = 200;
const MAX_NAME = 200;
const MAX_RECEIVER = 120;
/** Text after a name that makes it a call: arguments, a macro's mark, type arguments. */
const CALLED = /^(?:\s?\(|!|::)/;
/** Where patterns overlap, the reference of the most specific kind is kept. */
const RANK: Readonly<Record<ReferenceKind, number>> = { inherit: 0, conform: 1, extend: 2, call: 3, type: 4, read: 5 };

export function buildReferences(
  found: readonly FoundReference[],
  namedAt: ReadonlySet<number>,
  extents: readonly { start: number; end: number }[],
  text: string,
  descriptor: LanguageDescriptor,
  /** Names that an unqualified `read` may mean; null: any. */
  readable: ReadonlySet<string> | null,
): Reference[] {
  // The extended type is also captured as the name of the extension: that reference stays.
  const sorted = found.filter((one) => one.kind === 'extend' || !namedAt.has(one.startIndex));
  sorted.sort((a, b) => a.startIndex - b.startIndex || RANK[a.kind] - RANK[b.kind]);
  const references: Reference[] = [];
  const stack: number[] = [];
  let next = 0;
  for (let i = 0; i < sorted.length; i++) {
    const reference = sorted[i]!;
    const start = reference.startIndex;
    let receiverNode = reference.receiver;
    while (i + 1 < sorted.length && sorted[i + 1]!.startIndex === start) {
      if (sorted[i + 1]!.kind === reference.kind) receiverNode ??= sorted[i + 1]!.receiver;
      i++;
    }
    let name = descriptor.plainNames ? text.slice(start, wordEnd(text, start)) : nodeText(reference, text);
    if (name.length === 0 || name.length > MAX_NAME) continue;
    if (reference.kind === 'read' && !receiverNode && readable && !readable.has(name)) continue;
    let receiver = receiverNode ? receiverText(receiverNode, text) : '';
    if (descriptor.callsInTokens && reference.kind === 'call' && !receiverNode) {
      if (!CALLED.test(text.slice(start + name.length, start + name.length + 2))) continue;
      receiver = foldReceiver(receiverBefore(text, start));
    }
    const end = start + name.length;
    const after = () => text.slice(end, end + MAX_AFTER);
    const dot = descriptor.dottedNames ? name.lastIndexOf('.') : -1;
    if (dot > 0) {
      receiver = name.slice(0, dot);
      name = name.slice(dot + 1);
    }
    if (descriptor.keepReference && !descriptor.keepReference(name, receiver, reference.kind, after)) continue;
    while (next < extents.length && extents[next]!.start <= start) stack.push(next++);
    while (stack.length > 0 && extents[stack[stack.length - 1]!]!.end <= start) stack.pop();
    references.push({
      kind: reference.kind,
      name,
      receiver,
      line: reference.row + 1,
      column: reference.column + (dot > 0 ? dot + 2 : 1),
      from: stack.length > 0 ? stack[stack.length - 1]! : -1,
    });
  }
  return references;
}

/** The end of a receiver decides its type, so a long one is cut at its start. */
function receiverText(node: SyntaxNode, text: string): string {
  const end = node.endIndex;
  const start = Math.max(node.startIndex, end - MAX_RECEIVER * 4);
  return foldReceiver(text.slice(start, end));
}

function foldReceiver(receiver: string): string {
  // Some grammars include the separator in the qualifier.
  let folded = receiver;
  if (/\s|[.:]$/.test(folded)) folded = folded.replace(/\s+/g, ' ').replace(/[.:]+$/, '');
  return folded.length > MAX_RECEIVER ? folded.slice(-MAX_RECEIVER) : folded;
}

/** Reads a receiver such as `a.b(c)?` before `.d` backwards: names, separators and bracketed text. */
function receiverBefore(text: string, start: number): string {
  const separated = /(?:\.|::)\s*$/.exec(text.slice(Math.max(0, start - 40), start));
  if (!separated) return '';
  const end = start - separated[0].length;
  let at = end;
  for (const minAt = Math.max(0, end - MAX_RECEIVER * 4); at > minAt; ) {
    const c = text[at - 1]!;
    if (c === ')' || c === ']') {
      const open = openingOf(text, at - 1, minAt);
      if (open < 0) break;
      at = open;
    } else if (/[\w.:?]/.test(c)) at--;
    else if (/\s/.test(c) && /^\s*(?:$|\.)/.test(text.slice(at, end))) at--;
    else break;
  }
  return text.slice(at, end).trim();
}

/** The offset of the bracket that the one at `close` closes; -1 if it is too far back. */
function openingOf(text: string, close: number, least: number): number {
  let depth = 0;
  for (let i = close; i >= least; i--) {
    const c = text[i]!;
    if (c === ')' || c === ']') depth++;
    else if (c === '(' || c === '[') depth--;
    if (depth === 0) return i;
  }
  return -1;
}
