/** The parts of a declaration: the start of its body, its signature, and the doc inside of it. */
import type { SymbolKind } from '../../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../../language.ts';
import type { SyntaxNode } from '../grammar/syntax-node.ts';
import { commentText, docstringText } from './doc-text.ts';
import type { Placed } from './placement.ts';
import type { Surroundings } from './surroundings.ts';

const MAX_SIGNATURE = 400;
const MAX_VALUE_SIGNATURE = 200;
/** Kinds whose signature includes the value. */
export const VALUES: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'field', 'property']);

export function bodyOf(node: SyntaxNode, kind: SymbolKind, descriptor: LanguageDescriptor): SyntaxNode | null {
  const body = node.body;
  if (body || descriptor.bodyNodes.length === 0 || VALUES.has(kind)) return body;
  for (const child of node.namedChildren) if (descriptor.bodyNodes.includes(child.type)) return child;
  return null;
}

export function signatureOf(
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

export function docstringAt(text: string, bodyStart: number): string {
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

/** A comment such as `//!` at the beginning of a body documents the enclosing symbol. */
export function innerDoc(text: string, bodyStart: number, descriptor: LanguageDescriptor): string {
  const match = /\{\s*((?:\/\/![^\n]*\n\s*)+)/y;
  match.lastIndex = bodyStart;
  const found = match.exec(text);
  return found ? commentText(found[1]!, descriptor) : '';
}
