import { isRecord } from '../../model/runtime/is-record.ts';

/**
 * A message, or a batch, without parts and parameters that are null: many clients write null for "not set", where the
 * SDK takes a request for none at all.
 */
export function withoutNulls(body: unknown): unknown {
  return Array.isArray(body) ? body.map(tidy) : tidy(body);
}

function tidy(message: unknown): unknown {
  if (!isRecord(message)) return message;
  // Without its id a wrong request would be a notification, and nobody would hear of it.
  const kept = 'id' in message ? { ...present(message), id: message.id } : present(message);
  if (!isRecord(kept.params)) return kept;
  const params = present(kept.params);
  return { ...kept, params: isRecord(params._meta) ? { ...params, _meta: present(params._meta) } : params };
}

function present(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
