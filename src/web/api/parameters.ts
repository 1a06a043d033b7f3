/** Reads and checks the parameters of a page request. */

import { EngineError } from '../../model/records/engine-errors.ts';
import { restoreHidden } from '../../model/untrusted/visible-text.ts';

export class Parameters {
  readonly #values: URLSearchParams;

  constructor(values: URLSearchParams) {
    this.#values = values;
  }

  /** Returns '' if the parameter is missing. */
  text(name: string): string {
    // A path with escaped hidden characters is mapped back to the real one.
    return restoreHidden(this.#values.get(name) ?? '');
  }

  /** Returns undefined if the parameter is missing or empty. */
  optional(name: string): string | undefined {
    return this.text(name) || undefined;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === '') throw new EngineError('invalid_input', { reason: `The parameter ${name} is missing.` });
    return value;
  }

  integer(name: string, fallback: number, most: number): number {
    const value = this.text(name);
    if (value === '') return fallback;
    if (!/^\d{1,9}$/.test(value) || Number(value) < 1)
      throw new EngineError('invalid_input', { reason: `The parameter ${name} must be a whole number above 0.` });
    return Math.min(Number(value), most);
  }

  /** Splits the parameter at commas. */
  list(name: string): readonly string[] {
    return this.text(name).split(',').filter(Boolean);
  }
}

/** The fields of a JSON body as strings; '' for a missing field. */
export function textsOf<K extends string>(body: unknown, names: readonly K[]): Record<K, string> {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const texts = names.map((name) => {
    const value = fields[name] ?? '';
    if (typeof value !== 'string')
      throw new EngineError('invalid_input', { reason: `The field ${name} must be a text.` });
    return [name, value];
  });
  return Object.fromEntries(texts) as Record<K, string>;
}
