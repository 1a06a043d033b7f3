/**
 * The entries of a fleet's audit log, oldest first. A refresh makes them visible at once: searches find documents only
 * about a second after they were written.
 */
import type { FleetUnderTest } from './fleet-under-test.ts';

export type AuditRow = Readonly<Record<string, unknown>>;

export async function auditEntries({ connection, prefix }: FleetUnderTest): Promise<readonly AuditRow[]> {
  const index = `/${prefix}-audit`;
  await connection.ask({ method: 'POST', path: `${index}/_refresh` });
  const { body } = await connection.ask<{ hits: { hits: { readonly _source: AuditRow }[] } }>({
    method: 'POST',
    path: `${index}/_search`,
    body: { size: 1_000, sort: [{ atMs: 'asc' }] },
  });
  return body.hits.hits.map(({ _source }) => _source);
}
