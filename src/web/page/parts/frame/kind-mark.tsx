/** A letter for a kind of symbol, with the word as its text alternative. */
const LETTERS: Readonly<Record<string, string>> = {
  function: 'f',
  method: 'm',
  class: 'C',
  interface: 'I',
  struct: 'S',
  enum: 'E',
  trait: 'T',
  protocol: 'P',
  type: 'T',
  constant: 'c',
  variable: 'v',
  field: '·',
  property: '·',
  module: 'M',
  macro: '!',
  extension: 'X',
};
const TYPES = new Set(['class', 'interface', 'struct', 'enum', 'trait', 'protocol', 'type', 'extension']);
const CODE = new Set(['function', 'method', 'macro']);

export function KindMark({ kind }: { readonly kind: string }) {
  const group = TYPES.has(kind) ? 'of-type' : CODE.has(kind) ? 'of-code' : 'of-value';
  return (
    <span class={`kind ${group}`} title={kind}>
      <span aria-hidden="true">{LETTERS[kind] ?? kind.slice(0, 1)}</span>
      <span class="hidden">{kind}</span>
    </span>
  );
}
