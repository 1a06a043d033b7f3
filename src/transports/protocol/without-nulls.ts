import { isRecord } from '../../model/runtime/is-record.ts';

/**
 * Removes null fields and parameters from a message or batch: many clients write null for "not set", and the SDK then
 * rejects the whole request.
 */
export function withoutNulls(body: unknown): unknown {
  return Array.isArray(body) ? body.map(messageWithoutNulls) : messageWithoutNulls(body);
}

function messageWithoutNulls(message: unknown): unknown {
  if (!isRecord(message)) return message;
  // The id stays: without it, an invalid request would be a notification and get no answer.
  const cleaned = 'id' in message ? { ...nonNullEntries(message), id: message.id } : nonNullEntries(message);
  if (!isRecord(cleaned.params)) return cleaned;
  const params = nonNullEntries(cleaned.params);
  return { ...cleaned, params: isRecord(params._meta) ? { ...params, _meta: nonNullEntries(params._meta) } : params };
}

function nonNullEntries(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
