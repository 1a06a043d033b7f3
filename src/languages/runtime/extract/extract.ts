/**
 * Turns query matches into a ParsedFile, by the conventions of language.ts. It works on offsets and the text: every
 * question to a node is a call into wasm and is asked a few times for each definition, never for a reference.
 */

import type { DocSection, ImportRecord, Reference, SymbolKind, SymbolRecord } from '../../../model/records/symbol.ts';
import { cpuMs } from '../../../model/runtime/cpu-time.ts';
import type { LanguageDescriptor } from '../../language.ts';
import type { LineIndex } from '../line-index.ts';
import type { Found } from './collect.ts';
import { VALUES } from './declaration.ts';
import { commentText, docstringText } from './doc-text.ts';
import { buildImports } from './import-records.ts';
import { nodeText } from './node-text.ts';
import { placeDefinitions } from './placement.ts';
import { buildReferences } from './references.ts';
import { buildSections } from './sections.ts';
import { type Extent, SymbolBuilder } from './symbol-builder.ts';

export interface Extraction {
  readonly symbols: SymbolRecord[];
  readonly references: Reference[];
  readonly imports: ImportRecord[];
  readonly sections: DocSection[];
  readonly package: string;
  /** The time limit was reached while searching around definitions: some have no wrapper, doc or borders. */
  readonly hurried: boolean;
}

export interface ExtractInput {
  readonly descriptor: LanguageDescriptor;
  readonly text: string;
  /** The text that was parsed, masked if the language has a mask. */
  readonly seen: string;
  readonly lines: LineIndex;
  readonly found: Found;
  /** CPU time of the process after which the remaining definitions are extracted without docs and wrappers. */
  readonly deadlineMs: number;
  /** The tree has syntax errors: a seeming definition may be a statement. */
  readonly broken?: boolean;
}

/** A doc directly inside of one of these kinds belongs to the next definition. */
const CONTAINERS: ReadonlySet<SymbolKind> = new Set(['module', 'protocol', 'extension']);

export function extract(input: ExtractInput): Extraction {
  const { text, lines, descriptor, found } = input;
  const { placed, hurried: tooMany } = placeDefinitions(descriptor, found, text, input.deadlineMs);
  const builder = new SymbolBuilder(input);
  let hurried = tooMany;
  for (const definition of placed) {
    if ((builder.symbols.length & 63) === 63 && cpuMs() > input.deadlineMs) {
      hurried = true;
      break;
    }
    builder.add(definition);
  }
  const { symbols, extents, namedAt } = builder;
  for (const node of found.declared) namedAt.add(node.startIndex);
  attachDocs(found, symbols, extents, text, descriptor);
  const imports = buildImports(found, text, descriptor);
  const known = descriptor.knownReads ? knownNames(symbols, imports) : null;
  return {
    symbols: descriptor.refine ? [...descriptor.refine(symbols, text)] : symbols,
    references: buildReferences(found.references, namedAt, extents, text, descriptor, known),
    imports,
    sections: buildSections(found, text, lines),
    package: found.package ? nodeText(found.package, text).replace(/\s+/g, '') : '',
    hurried: hurried || builder.tooDeep,
  };
}

/** Names that an unqualified reference can mean besides a local variable. */
function knownNames(symbols: readonly SymbolRecord[], imports: readonly ImportRecord[]): Set<string> {
  const names = new Set<string>();
  for (const { kind, name } of symbols) if (!VALUES.has(kind) && kind !== 'method') names.add(name);
  for (const record of imports) for (const { local } of record.names) names.add(local);
  return names;
}

function attachDocs(
  found: Found,
  symbols: SymbolRecord[],
  extents: readonly Extent[],
  text: string,
  descriptor: LanguageDescriptor,
): void {
  for (const { node, inside } of found.docs) {
    const { startIndex: start, endIndex: end } = node;
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
