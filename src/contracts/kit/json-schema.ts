/**
 * The part of JSON Schema that describes tool arguments, its TypeScript types, and a checker. A tool's schema is
 * written once, as the literal that clients see in `tools/list`; types, defaults and checks derive from it. The checker
 * is our own because the contracts require their own error messages, and because compiling validators would slow the
 * start.
 */
export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null' | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
}
export interface ObjectSchema extends Schema {
  readonly type: 'object';
}

/** The type of a checked value: defaults are filled in, so a property with a default is never absent. */
export type ValueOf<S> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly type: 'string' }
    ? string
    : S extends { readonly type: 'integer' | 'number' }
      ? number
      : S extends { readonly type: 'boolean' }
        ? boolean
        : S extends { readonly type: 'array'; readonly items: infer I }
          ? readonly ValueOf<I>[]
          : S extends { readonly type: 'object'; readonly properties: infer P }
            ? ObjectOf<P, S extends { readonly required: readonly (infer R)[] } ? R : never>
            : S extends { readonly type: 'object' }
              ? Readonly<Record<string, unknown>>
              : unknown;
type ObjectOf<P, R> = {
  readonly [K in keyof P as K extends R ? K : P[K] extends { readonly default: unknown } ? K : never]: ValueOf<P[K]>;
} & {
  readonly [K in keyof P as K extends R ? never : P[K] extends { readonly default: unknown } ? never : K]?: ValueOf<
    P[K]
  >;
};

export type IssueKind = 'missing' | 'type' | 'range' | 'length' | 'enum' | 'unknown';
export interface SchemaIssue {
  /** "filters.symbol_types[0]"; '' for the arguments as a whole. */
  readonly path: string;
  readonly kind: IssueKind;
  /** "must be between 1 and 100": a message puts the parameter's name in front. */
  readonly reason: string;
  readonly schema: Schema;
  readonly value: unknown;
}

export interface CheckedValue {
  readonly value: unknown;
  readonly issues: readonly SchemaIssue[];
}

/** How to measure strings: JSON Schema counts characters, some libraries count UTF-16 units. */
export type LengthOf = (text: string) => number;
export const countUnits: LengthOf = (text) => text.length;
const countCharacters: LengthOf = (text) => {
  let count = 0;
  for (const _character of text) count++;
  return count;
};

/**
 * Checks `value` and fills in defaults. `null` for an optional property counts as absent, because many clients send it
 * for "not set".
 */
export function checkValue(schema: Schema, value: unknown, lengthOf: LengthOf = countCharacters): CheckedValue {
  const issues: SchemaIssue[] = [];
  return { value: visit(schema, value, '', { issues, lengthOf }), issues };
}

interface Check {
  readonly issues: SchemaIssue[];
  readonly lengthOf: LengthOf;
}

function visit(schema: Schema, value: unknown, path: string, check: Check): unknown {
  const { issues, lengthOf } = check;
  const fail = (kind: IssueKind, reason: string) => {
    issues.push({ path, kind, reason, schema, value });
    return value;
  };
  if (schema.enum && !schema.enum.includes(value))
    return fail('enum', `must be one of ${schema.enum.map((v) => JSON.stringify(v)).join(', ')}`);
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return fail('type', 'must be a string');
      if (schema.minLength !== undefined && lengthOf(value) < schema.minLength)
        return fail('length', atLeast(schema.minLength));
      if (schema.maxLength !== undefined && lengthOf(value) > schema.maxLength)
        return fail('length', `must be at most ${schema.maxLength} characters`);
      return value;
    case 'integer':
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return fail('type', `must be ${article(schema.type)}`);
      if (schema.type === 'integer' && !Number.isInteger(value)) return fail('type', 'must be an integer');
      if (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity))
        return fail('range', rangeWords(schema));
      return value;
    case 'boolean':
      return typeof value === 'boolean' ? value : fail('type', 'must be a boolean');
    case 'array':
      if (!Array.isArray(value)) return fail('type', 'must be an array');
      if (value.length > (schema.maxItems ?? Infinity))
        return fail('length', `must have at most ${schema.maxItems} items`);
      return schema.items ? value.map((item, i) => visit(schema.items!, item, `${path}[${i}]`, check)) : value;
    case 'object':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('type', 'must be an object');
      return visitObject(schema, value as Record<string, unknown>, path, check);
    default:
      return value;
  }
}

function visitObject(schema: Schema, value: Record<string, unknown>, path: string, check: Check): unknown {
  const { issues } = check;
  const properties = schema.properties ?? {};
  const required = new Set(schema.required);
  const result: Record<string, unknown> = {};
  const at = (key: string) => (path ? `${path}.${key}` : key);
  for (const [key, child] of Object.entries(properties)) {
    const propertyValue = Object.hasOwn(value, key) ? value[key] : undefined;
    if (propertyValue === undefined || (propertyValue === null && !required.has(key))) {
      if (required.has(key))
        issues.push({ path: at(key), kind: 'missing', reason: 'is required', schema: child, value: undefined });
      else if (child.default !== undefined) result[key] = child.default;
      continue;
    }
    result[key] = visit(child, propertyValue, at(key), check);
  }
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(properties, key)) continue;
    if (schema.additionalProperties === false)
      issues.push({
        path: at(key),
        kind: 'unknown',
        reason: `is not a parameter; there are ${Object.keys(properties).join(', ')}`,
        schema,
        value: value[key],
      });
    else if (!schema.properties) result[key] = value[key];
  }
  return result;
}

function article(type: string): string {
  return type === 'integer' ? 'an integer' : `a ${type}`;
}

function atLeast(length: number): string {
  return length === 1 ? 'must not be empty' : `must be at least ${length} characters`;
}

function rangeWords({ minimum, maximum }: Schema): string {
  if (minimum === undefined) return `must be at most ${maximum}`;
  return maximum === undefined ? `must be at least ${minimum}` : `must be between ${minimum} and ${maximum}`;
}
