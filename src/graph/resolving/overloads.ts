/** Chooses among overloads with the same number of parameters by the known types of the arguments. */
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import type { WrittenCall } from '../reading/arguments.ts';
import type { Parameter } from '../reading/signature.ts';
import { parseType } from '../reading/type-text.ts';
import type { Scope } from './names/lookup.ts';
import type { Types } from './types.ts';
import type { Values } from './values/values.ts';

export interface Overload {
  readonly place: SymbolPlace;
  readonly parameters: readonly Parameter[];
}

export interface Fitting {
  readonly places: readonly SymbolPlace[];
  /** Nothing that is unknown could have decided otherwise. */
  readonly sure: boolean;
}

/** The type of an argument: its name and those of its supertypes, nearest first. */
interface Known {
  readonly names: readonly string[];
  /** Nothing else is above it: a parameter of another type cannot take it. */
  readonly closed: boolean;
}

const TOP = new Set(['Object', 'Any', 'AnyObject', 'object', 'dynamic', 'AnyRef', 'auto']);
const LITERALS: readonly { readonly pattern: RegExp; readonly known: Known }[] = [
  {
    pattern: /^"|^'(?:[^'\\]{2,}|)'$|^`|^f"|^@"|^\$"/,
    known: {
      names: ['String', 'string', 'CharSequence', 'Comparable', 'StringProtocol', 'str', 'string_view'],
      closed: true,
    },
  },
  { pattern: /^'(?:.|\\.+)'$/, known: { names: ['char', 'Character', 'Char', 'int', 'Comparable'], closed: true } },
  {
    pattern: /^-?\d[\d_]*$/,
    known: {
      names: ['int', 'Integer', 'Int', 'long', 'Long', 'float', 'double', 'Double', 'Number', 'size_t', 'Comparable'],
      closed: true,
    },
  },
  {
    pattern: /^-?\d[\d_]*[lL]$/,
    known: { names: ['long', 'Long', 'float', 'double', 'Number', 'Comparable'], closed: true },
  },
  {
    pattern: /^-?\d[\d_]*\.\d*(?:[eE][-+]?\d+)?[dD]?$/,
    known: { names: ['double', 'Double', 'Number', 'Float', 'Comparable'], closed: true },
  },
  {
    pattern: /^-?\d[\d_.]*[fF]$/,
    known: { names: ['float', 'Float', 'double', 'Number', 'Comparable'], closed: true },
  },
  { pattern: /^(?:true|false)$/, known: { names: ['boolean', 'Boolean', 'bool', 'Bool', 'Comparable'], closed: true } },
  { pattern: /^[\w.<>[\]]+\.class$/, known: { names: ['Class', 'Type', 'AnnotatedElement'], closed: true } },
  { pattern: /^[\w.<>[\]]+::class\.java$/, known: { names: ['Class', 'Type'], closed: true } },
  { pattern: /^(?:typeof\s*\(.*\)|[\w.]+\.self)$/, known: { names: ['Type'], closed: false } },
];
const PRIMITIVE = new Set([
  'int',
  'long',
  'short',
  'byte',
  'char',
  'float',
  'double',
  'boolean',
  'bool',
  'string',
  'String',
  'Int',
  'Double',
  'Bool',
]);
const WIDENED: Readonly<Record<string, readonly string[]>> = {
  String: ['CharSequence', 'Comparable', 'StringProtocol'],
  byte: ['Byte', 'short', 'int', 'long', 'float', 'double', 'Number'],
  short: ['Short', 'int', 'long', 'float', 'double', 'Number'],
  char: ['Character', 'int', 'long'],
  int: ['Integer', 'long', 'float', 'double', 'Number'],
  long: ['Long', 'float', 'double', 'Number'],
  float: ['Float', 'double', 'Number'],
  double: ['Double', 'Number'],
  boolean: ['Boolean'],
  Integer: ['int', 'Number'],
  Long: ['long', 'Number'],
  Double: ['double', 'Number'],
  Float: ['float', 'Number'],
  Boolean: ['boolean'],
  Character: ['char'],
};

export class Overloads {
  readonly #tree: GraphTree;
  readonly #types: Types;
  readonly #values: Values;

  constructor(tree: GraphTree, types: Types, values: Values) {
    this.#tree = tree;
    this.#types = types;
    this.#values = values;
  }

  /** The overloads that fit best; several where the arguments do not tell. */
  best(overloads: readonly Overload[], call: WrittenCall, scope: Scope): Fitting {
    const known = call.values.map((value) => this.#known(scope, value));
    const scored = overloads
      .map(({ place, parameters }) => ({ place, score: this.#score(place, parameters, known) }))
      .filter(({ score }) => score !== null) as { place: SymbolPlace; score: number }[];
    if (scored.length === 0) return { places: overloads.map(({ place }) => place), sure: false };
    const most = Math.max(...scored.map(({ score }) => score));
    // Where no argument is known to fit, that one of them is variadic is no reason against it.
    const places = scored.filter(({ score }) => score === most || most <= 0).map(({ place }) => place);
    // An argument of unknown type decides where the overloads that could take it differ in it.
    const possible = overloads.filter(({ place }) => scored.some((each) => each.place === place));
    const sure = known.every(
      (argument, i) =>
        argument !== null || new Set(possible.map(({ parameters }) => parameters[i]?.type ?? '')).size <= 1,
    );
    return { places, sure };
  }

  /** Null where an argument cannot be taken. */
  #score(place: SymbolPlace, parameters: readonly Parameter[], known: readonly (Known | null)[]): number | null {
    let sum = 0;
    for (let i = 0; i < known.length; i++) {
      const parameter = parameters[Math.min(i, parameters.length - 1)];
      const argument = known[i];
      if (!parameter || !argument) continue;
      const type = parseType(parameter.type.replace(/\.\.\.$/, ''));
      const name = type?.isList ? '[]' : type?.path.at(-1);
      if (name === undefined) continue;
      const rank = argument.names.indexOf(name);
      if (rank >= 0) sum += 10 - Math.min(rank, 8);
      else if (TOP.has(name) || this.#isParameter(place, name)) sum += 1;
      else if (argument.closed) return null;
      // Variadic parameters come last.
      if (parameter.variadic) sum -= 0.5;
    }
    return parameters.some(({ variadic }) => variadic) ? sum - 0.5 : sum;
  }

  #isParameter({ file, ordinal }: SymbolPlace, name: string): boolean {
    const { symbols } = this.#tree.table(file);
    const pattern = new RegExp(`[<,\\s]${name}\\s*(?:[,>:]|extends\\b|super\\b)`);
    for (let at = ordinal; at >= 0; at = symbols[at]!.parent)
      if (pattern.test(symbols[at]!.signature)) return /^[A-Z]\w?$/.test(name);
    return false;
  }

  #known(scope: Scope, value: string): Known | null {
    const literal = LITERALS.find(({ pattern }) => pattern.test(value));
    if (literal) return literal.known;
    if (/^(?:null|nil|None|undefined|nullptr)$/.test(value)) return null;
    if (/^"/.test(value) || /"\s*\+|\+\s*"/.test(value)) return LITERALS[0]!.known;
    const array = /^new\s+[\w.<>]+\s*(?:\[[^\]]*\])+/.test(value);
    if (array) return { names: ['[]'], closed: true };
    const declared = this.#values.declaredType(scope, value);
    if (declared) {
      const type = parseType(declared);
      const name = type?.isList ? '[]' : type?.path.at(-1);
      if (name && (PRIMITIVE.has(name) || WIDENED[name] || name === '[]'))
        return { names: [name, ...(WIDENED[name] ?? [])], closed: true };
    }
    const meaning = this.#values.meaning(scope, value);
    if (meaning?.kind === 'type') {
      const names: string[] = [];
      const visit = (place: SymbolPlace, depth: number) => {
        const { name } = this.#tree.symbol(place);
        if (names.includes(name) || depth > 8) return;
        names.push(name);
        for (const above of this.#types.supers(place)) visit(above, depth + 1);
      };
      for (const place of meaning.places) visit(place, 0);
      return { names, closed: meaning.places.every((place) => this.#types.isClosed(place)) };
    }
    if (meaning?.kind === 'wrapper') return { names: [meaning.name === 'list' ? '[]' : meaning.name], closed: false };
    const name = declared ? parseType(declared)?.path.at(-1) : undefined;
    return name ? { names: [name], closed: false } : null;
  }
}
