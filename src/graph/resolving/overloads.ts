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
  /** No argument of unknown type could have changed the choice. */
  readonly isCertain: boolean;
}

/** The type of an argument: its name and those of its supertypes, nearest first. */
interface ArgumentType {
  readonly names: readonly string[];
  /** The names are all of its supertypes: a parameter of any other type does not accept the argument. */
  readonly isComplete: boolean;
}

/** Levels of supertypes that are followed. */
const MAX_DEPTH = 8;
/** Types that every value, or every object, has. */
const TOP_TYPES = new Set(['Object', 'Any', 'AnyObject', 'object', 'dynamic', 'AnyRef', 'auto']);
const LITERALS: readonly { readonly pattern: RegExp; readonly type: ArgumentType }[] = [
  {
    pattern: /^"|^'(?:[^'\\]{2,}|)'$|^`|^f"|^@"|^\$"/,
    type: {
      names: ['String', 'string', 'CharSequence', 'Comparable', 'StringProtocol', 'str', 'string_view'],
      isComplete: true,
    },
  },
  { pattern: /^'(?:.|\\.+)'$/, type: { names: ['char', 'Character', 'Char', 'int', 'Comparable'], isComplete: true } },
  {
    pattern: /^-?\d[\d_]*$/,
    type: {
      names: ['int', 'Integer', 'Int', 'long', 'Long', 'float', 'double', 'Double', 'Number', 'size_t', 'Comparable'],
      isComplete: true,
    },
  },
  {
    pattern: /^-?\d[\d_]*[lL]$/,
    type: { names: ['long', 'Long', 'float', 'double', 'Number', 'Comparable'], isComplete: true },
  },
  {
    pattern: /^-?\d[\d_]*\.\d*(?:[eE][-+]?\d+)?[dD]?$/,
    type: { names: ['double', 'Double', 'Number', 'Float', 'Comparable'], isComplete: true },
  },
  {
    pattern: /^-?\d[\d_.]*[fF]$/,
    type: { names: ['float', 'Float', 'double', 'Number', 'Comparable'], isComplete: true },
  },
  {
    pattern: /^(?:true|false)$/,
    type: { names: ['boolean', 'Boolean', 'bool', 'Bool', 'Comparable'], isComplete: true },
  },
  { pattern: /^[\w.<>[\]]+\.class$/, type: { names: ['Class', 'Type', 'AnnotatedElement'], isComplete: true } },
  { pattern: /^[\w.<>[\]]+::class\.java$/, type: { names: ['Class', 'Type'], isComplete: true } },
  { pattern: /^(?:typeof\s*\(.*\)|[\w.]+\.self)$/, type: { names: ['Type'], isComplete: false } },
];
const STRING_LITERAL = LITERALS[0]!.type;
const PRIMITIVE_TYPES = new Set([
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
/** Types that a value of a type converts to without a cast, and interfaces that its library declares for it. */
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

  /** The overloads whose parameter types fit best; several where the known arguments do not decide. */
  chooseBest(overloads: readonly Overload[], call: WrittenCall, scope: Scope): Fitting {
    const argumentTypes = call.values.map((value) => this.#argumentType(scope, value));
    const accepting = overloads.flatMap((overload) => {
      const score = this.#score(overload, argumentTypes);
      return score === null ? [] : [{ overload, score }];
    });
    if (accepting.length === 0) return { places: overloads.map(({ place }) => place), isCertain: false };
    const bestScore = Math.max(...accepting.map(({ score }) => score));
    // Scores below zero come from variadic parameters alone: without a known argument they exclude no overload.
    const best = accepting.filter(({ score }) => score === bestScore || bestScore <= 0);
    // An argument of unknown type leaves the choice open where the accepting overloads declare different types for it.
    const isCertain = argumentTypes.every(
      (type, i) =>
        type !== null || new Set(accepting.map(({ overload }) => overload.parameters[i]?.type ?? '')).size <= 1,
    );
    return { places: best.map(({ overload }) => overload.place), isCertain };
  }

  /** How well the parameters fit the arguments; null where a parameter cannot accept its argument. */
  #score({ place, parameters }: Overload, argumentTypes: readonly (ArgumentType | null)[]): number | null {
    let sum = 0;
    for (const [i, argument] of argumentTypes.entries()) {
      const parameter = parameters[Math.min(i, parameters.length - 1)];
      if (!parameter || !argument) continue;
      const type = parseType(parameter.type.replace(/\.\.\.$/, ''));
      const name = type?.isList ? '[]' : type?.path.at(-1);
      if (name === undefined) continue;
      const distance = argument.names.indexOf(name);
      if (distance >= 0) sum += 10 - Math.min(distance, 8);
      else if (TOP_TYPES.has(name) || this.#isTypeParameter(place, name)) sum += 1;
      else if (argument.isComplete) return null;
      // Compilers try variadic overloads last.
      if (parameter.variadic) sum -= 0.5;
    }
    return parameters.some(({ variadic }) => variadic) ? sum - 0.5 : sum;
  }

  #isTypeParameter({ file, ordinal }: SymbolPlace, name: string): boolean {
    const { symbols } = this.#tree.table(file);
    const pattern = new RegExp(`[<,\\s]${name}\\s*(?:[,>:]|extends\\b|super\\b)`);
    for (let at = ordinal; at >= 0; at = symbols[at]!.parent)
      if (pattern.test(symbols[at]!.signature)) return /^[A-Z]\w?$/.test(name);
    return false;
  }

  #argumentType(scope: Scope, value: string): ArgumentType | null {
    const literal = LITERALS.find(({ pattern }) => pattern.test(value));
    if (literal) return literal.type;
    if (/^(?:null|nil|None|undefined|nullptr)$/.test(value)) return null;
    if (/^"/.test(value) || /"\s*\+|\+\s*"/.test(value)) return STRING_LITERAL;
    const isArray = /^new\s+[\w.<>]+\s*(?:\[[^\]]*\])+/.test(value);
    if (isArray) return { names: ['[]'], isComplete: true };
    const declared = this.#values.declaredTypes.of(scope, value);
    const type = declared ? parseType(declared) : null;
    const name = type?.isList ? '[]' : type?.path.at(-1);
    if (name && (PRIMITIVE_TYPES.has(name) || WIDENED[name] || name === '[]'))
      return { names: [name, ...(WIDENED[name] ?? [])], isComplete: true };
    const meaning = this.#values.meaning(scope, value);
    if (meaning?.kind === 'type')
      return {
        names: this.#supertypeNames(meaning.places),
        isComplete: meaning.places.every((place) => this.#types.isClosed(place)),
      };
    if (meaning?.kind === 'wrapper')
      return { names: [meaning.name === 'list' ? '[]' : meaning.name], isComplete: false };
    return name ? { names: [name], isComplete: false } : null;
  }

  /** Names of some types and of all that they inherit, nearest first. */
  #supertypeNames(types: readonly SymbolPlace[]): readonly string[] {
    const names: string[] = [];
    const visit = (place: SymbolPlace, depth: number) => {
      const { name } = this.#tree.symbol(place);
      if (names.includes(name) || depth > MAX_DEPTH) return;
      names.push(name);
      for (const above of this.#types.supers(place)) visit(above, depth + 1);
    };
    for (const place of types) visit(place, 0);
    return names;
  }
}
