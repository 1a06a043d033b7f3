/**
 * Members that a Python class gets when the code runs: from bases that a call returns
 * (`class M(Base.from_query(Query))`), and from a metaclass that sets attributes by name
 * (`setattr(cls, "objects", manager)`). Nothing proves them, so they are at most likely.
 */
import type { GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { distinct, keyOf } from '../../symbol-place.ts';
import type { Scope } from '../names/lookup.ts';
import type { Types } from '../types.ts';
import type { Expressions } from './definitions.ts';
import type { Meaning } from './meaning.ts';

const MAX_ABOVE = 40;

export class MadeTypes {
  readonly #tree: GraphTree;
  readonly #types: Types;
  readonly #expressions: Expressions;
  readonly #sources = new Map<string, readonly SymbolPlace[]>();

  constructor(tree: GraphTree, types: Types, expressions: Expressions) {
    this.#tree = tree;
    this.#types = types;
    this.#expressions = expressions;
  }

  /** Members of the classes from which a call computes a base of the type or of a supertype. */
  members(type: SymbolPlace, name: string): readonly SymbolPlace[] {
    for (const above of this.#above(type)) {
      const found = this.#sourcesOf(above).flatMap((source) => this.#types.members(source, name));
      if (found.length > 0) return distinct(found).slice(0, 1);
    }
    return [];
  }

  /** The attribute that a metaclass of the type, or of a supertype, sets under a name. */
  field(type: SymbolPlace, name: string, depth: number): Meaning | null {
    if (!/^\w+$/.test(name)) return null;
    for (const above of this.#above(type)) {
      const { metaclass } = this.#madeBy(above);
      const makers = metaclass === '' ? [] : this.#typesOf(above, metaclass, depth);
      for (const maker of makers) {
        const set = this.#setByName(maker, name);
        const meaning = set && this.#expressions.meaning(set.scope, set.value, depth + 1);
        if (meaning) return meaning;
      }
    }
    return null;
  }

  #above(type: SymbolPlace): readonly SymbolPlace[] {
    if (!this.#tree.rules(type.file).madeBy) return [];
    const seen = new Set([keyOf(type)]);
    const all = [type];
    for (let i = 0; i < all.length && all.length < MAX_ABOVE; i++)
      for (const each of this.#types.supers(all[i]!)) {
        if (seen.has(keyOf(each))) continue;
        seen.add(keyOf(each));
        all.push(each);
      }
    return all;
  }

  #madeBy(type: SymbolPlace) {
    const { madeBy } = this.#tree.rules(type.file);
    return madeBy?.(this.#tree.symbol(type).signature) ?? { sources: [], metaclass: '' };
  }

  #sourcesOf(type: SymbolPlace): readonly SymbolPlace[] {
    const key = keyOf(type);
    const known = this.#sources.get(key);
    if (known) return known;
    // Set before the search, which would not end for a class that names itself among its bases.
    this.#sources.set(key, []);
    const found = this.#madeBy(type).sources.flatMap((source) => this.#typesOf(type, source, 1));
    this.#sources.set(key, found);
    return found;
  }

  #typesOf(type: SymbolPlace, expression: string, depth: number): readonly SymbolPlace[] {
    const { parent, startLine } = this.#tree.symbol(type);
    const scope = { file: type.file, from: parent, line: startLine, column: 1 };
    const meaning = this.#expressions.meaning(scope, expression, depth + 1);
    return meaning?.kind === 'type' ? meaning.places : [];
  }

  /** `setattr(cls, "name", value)`, `cls.add("name", value)` in the body of a metaclass. */
  #setByName(maker: SymbolPlace, name: string): { readonly scope: Scope; readonly value: string } | null {
    const { symbols } = this.#tree.table(maker.file);
    const { startLine, endLine } = symbols[maker.ordinal]!;
    const lines = this.#tree.lines(maker.file);
    const pattern = new RegExp(
      `(?:\\bsetattr\\(\\s*\\w+\\s*,|\\w\\.\\w+\\()\\s*["']${name}["']\\s*,\\s*([\\w.]+(?:\\(\\))?)\\s*\\)`,
    );
    for (let line = startLine; line <= Math.min(endLine, lines.length); line++) {
      const value = lines[line - 1]!.includes(name) ? pattern.exec(lines[line - 1]!)?.[1] : undefined;
      if (!value) continue;
      const from = this.#tree.symbolAt(maker.file, line);
      return { scope: { file: maker.file, from, line, column: 1 }, value };
    }
    return null;
  }
}
