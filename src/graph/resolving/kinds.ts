/** Which kinds of symbols a reference can mean. */
import type { SymbolKind } from '../../model/symbol.ts';

/** `function`: a call in a language where variables have names of their own. */
export type Want = 'call' | 'function' | 'type' | 'any';

const set = (...kinds: readonly SymbolKind[]): ReadonlySet<SymbolKind> => new Set(kinds);

export const TYPE_KINDS = set(
  'class',
  'struct',
  'interface',
  'protocol',
  'trait',
  'enum',
  'type',
  'module',
  'extension',
);
export const FUNCTION_KINDS = set('function', 'method', 'macro');
export const VALUE_KINDS = set('constant', 'variable', 'field', 'property');
const WANTED: Readonly<Record<Want, ReadonlySet<SymbolKind>>> = {
  call: set(
    'function',
    'method',
    'macro',
    'class',
    'struct',
    'interface',
    'protocol',
    'enum',
    'type',
    'constant',
    'variable',
    'field',
    'property',
  ),
  function: set('function', 'method', 'macro', 'class', 'struct', 'interface', 'enum', 'type'),
  type: set('class', 'struct', 'interface', 'protocol', 'trait', 'enum', 'type', 'module'),
  any: set(
    'function',
    'method',
    'macro',
    'class',
    'struct',
    'interface',
    'protocol',
    'trait',
    'enum',
    'type',
    'constant',
    'variable',
    'field',
    'property',
    'module',
  ),
};

export function isWanted(kind: SymbolKind, want: Want): boolean {
  return WANTED[want].has(kind);
}
