/** The kinds of symbols that a reference can mean. */
import { SYMBOL_KINDS, type SymbolKind, TYPE_KINDS } from '../../model/records/symbol.ts';

/**
 * The kind of definition that a reference can mean. `function`: a call in a language in which a call never means a
 * variable.
 */
export type WantedKind = 'call' | 'function' | 'type' | 'any';

type Kinds = ReadonlySet<SymbolKind>;
const without = (kinds: Iterable<SymbolKind>, ...others: readonly SymbolKind[]): SymbolKind[] =>
  [...kinds].filter((kind) => !others.includes(kind));

export const FUNCTION_KINDS: Kinds = new Set(['function', 'method', 'macro']);
export const VALUE_KINDS: Kinds = new Set(['constant', 'variable', 'field', 'property']);
/** Kinds of types that a call constructs or converts to. */
const CONSTRUCTED = without(TYPE_KINDS, 'trait', 'module');

const WANTED: Readonly<Record<WantedKind, Kinds>> = {
  call: new Set([...FUNCTION_KINDS, ...CONSTRUCTED, ...VALUE_KINDS]),
  function: new Set([...FUNCTION_KINDS, ...without(CONSTRUCTED, 'protocol')]),
  type: TYPE_KINDS,
  any: new Set(without(SYMBOL_KINDS, 'extension')),
};

export function isWanted(kind: SymbolKind, want: WantedKind): boolean {
  return WANTED[want].has(kind);
}

/** Members need a receiver: their names are not visible by themselves. */
export function isMember(kind: SymbolKind): boolean {
  return kind === 'method' || kind === 'field' || kind === 'property';
}
