import { isRecord } from '../model/is-record.ts';

/** A message, or a batch, without parameters that are null: many clients write null for "not set", where the SDK takes a request for none at all. */
export function withoutNulls(body: unknown): unknown {
  return Array.isArray(body) ? body.map(tidy) : tidy(body);
}

function tidy(message: unknown): unknown {
  if (!isRecord(message) || !isRecord(message.params)) return message;
  const params = present(message.params);
  return { ...message, params: isRecord(params._meta) ? { ...params, _meta: present(params._meta) } : params };
}

function present(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
