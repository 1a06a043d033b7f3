/** Infers what a used or called definition stands for: a type, the declared result, the declared type or value. */
import { CONTAINER_KINDS } from '../../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { declaredValueOf, resultOf } from '../../reading/signature.ts';
import { parseType } from '../../reading/type-text.ts';
import { FUNCTION_KINDS, VALUE_KINDS } from '../kinds.ts';
import type { Scope } from '../names/lookup.ts';
import { assignedField } from './assigned-field.ts';
import type { Meaning, TypeMeaning } from './meaning.ts';

/** The index cuts signatures at 400 characters; one that is nearly as long is read from the text. */
const MAX_STORED_SIGNATURE = 390;
const IS_RECEIVER = /^(?:&?(?:mut )?Self|this|static|self|instancetype|"?Self"?)\b[?!]?$/;

/** The part of `Values` that definitions need; `Values` itself needs definitions. */
export interface Expressions {
  /** The type that a text names, looked up from a place. */
  typed(scope: Scope, text: string, depth: number): Meaning | null;
  meaning(scope: Scope, expression: string, depth: number): Meaning | null;
}

export class Definitions {
  readonly #tree: GraphTree;
  readonly #expressions: Expressions;

  constructor(tree: GraphTree, expressions: Expressions) {
    this.#tree = tree;
    this.#expressions = expressions;
  }

  /** `places`: several are overloads of one name, or parts of one type. */
  used(places: readonly SymbolPlace[], called: boolean, receiver: TypeMeaning | null, depth: number): Meaning | null {
    const types = places.filter((place) => CONTAINER_KINDS.has(this.#tree.symbol(place).kind));
    // A field and a method may share a name.
    const first = places.find((place) => FUNCTION_KINDS.has(this.#tree.symbol(place).kind) === called) ?? places[0]!;
    const symbol = this.#tree.symbol(first);
    const scope = { file: first.file, from: first.ordinal, line: symbol.startLine, column: 1 };
    if (types.length > 0) {
      if (symbol.kind === 'module' && this.#tree.rules(first.file).globalModules)
        return { kind: 'module', files: types.map(({ file }) => file), scope: symbol.qualifiedName, binding: null };
      return { kind: 'type', places: types, args: [], scope };
    }
    if (FUNCTION_KINDS.has(symbol.kind)) return this.#result(places, first, called, receiver, scope, depth);
    return VALUE_KINDS.has(symbol.kind) ? this.#value(first, called, scope, depth) : null;
  }

  /** A field that a type declares by assigning to it. */
  assigned(type: SymbolPlace, name: string, depth: number): Meaning | null {
    const assigned = assignedField(this.#tree, type, name);
    if (!assigned) return null;
    return assigned.type !== ''
      ? this.#expressions.typed(assigned.scope, assigned.type, depth + 1)
      : this.#expressions.meaning(assigned.scope, assigned.value, depth + 1);
  }

  #result(
    places: readonly SymbolPlace[],
    first: SymbolPlace,
    called: boolean,
    receiver: TypeMeaning | null,
    scope: Scope,
    depth: number,
  ): Meaning | null {
    const { name, signature, kind } = this.#tree.symbol(first);
    const rules = this.#tree.rules(first.file);
    const results = places.map((place) => resultOf(this.#tree.symbol(place).signature, name, rules));
    const [result] = results;
    // Overloads with different results leave the result unknown.
    const heads = new Set(results.map((text) => parseType(text)?.path.join('.') ?? text));
    if (heads.size !== 1 || !result) return null;
    if (!called && !/\bget\b|@property|\bval\b/.test(signature) && kind !== 'method') return null;
    const unwrapped = rules.resultPrefix ? result.replace(rules.resultPrefix, '') : result;
    if (receiver && IS_RECEIVER.test(unwrapped.replace(/^&'?\w*\s*/, ''))) return receiver;
    return this.#expressions.typed(scope, unwrapped, depth + 1);
  }

  /** The value of a variable, a constant or a field. */
  #value(place: SymbolPlace, called: boolean, scope: Scope, depth: number): Meaning | null {
    const symbol = this.#tree.symbol(place);
    const rules = this.#tree.rules(place.file);
    const table = this.#tree.table(place.file);
    const parent = symbol.parent >= 0 ? table.symbols[symbol.parent]! : null;
    if (symbol.kind === 'constant' && parent?.kind === 'enum')
      return { kind: 'type', places: [{ file: place.file, ordinal: symbol.parent }], args: [], scope };
    // The end of a long initial value decides its type, and the stored signature may lack it.
    const signature =
      symbol.signature.length < MAX_STORED_SIGNATURE
        ? symbol.signature
        : this.#tree
            .lines(place.file)
            .slice(symbol.startLine - 1, symbol.endLine)
            .join(' ');
    const { type, value } = declaredValueOf(signature, symbol.name, rules);
    if (called && type !== '' && /->|=>|\bfunc\b/.test(type)) return null;
    const outer = { ...scope, from: symbol.parent };
    if (type !== '' && !/^(?:var|auto|final|let|val|const)$/.test(type))
      return this.#expressions.typed(outer, type, depth + 1);
    if (value !== '') {
      const meaning = this.#expressions.meaning(outer, value, depth + 1);
      if (meaning) return meaning;
    }
    // An object literal with functions works like a type with methods.
    if (rules.objectsAreTypes && table.owners.includes(symbol.qualifiedName))
      return { kind: 'type', places: [place], args: [], scope };
    return parent && CONTAINER_KINDS.has(parent.kind)
      ? this.assigned({ file: place.file, ordinal: symbol.parent }, symbol.name, depth)
      : null;
  }
}
