/** Values of an answer that may lack any field. */
export type Json = Readonly<Record<string, unknown>>;

export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}

export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(text) : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
