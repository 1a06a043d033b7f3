/** Renders places and notices in the form that all answers share. */
import type { Freshness } from '../../model/records/query.ts';
import type { Style } from './style.ts';
import { printableLine } from './terminal-text.ts';
import { plural } from './units.ts';

/** "src/auth.ts:10-20", which editors and terminals turn into a link. */
export function place(path: string, startLine: number, endLine: number, style: Style): string {
  const range = endLine > startLine ? `${startLine}-${endLine}` : String(startLine);
  return `${style.cyan(printableLine(path))}${style.grey(`:${range}`)}`;
}

/** Notices about a stale index; empty if it is fresh. */
export function freshnessLines(freshness: Freshness, style: Style): string[] {
  const missing = (freshness.missing ?? []).map(({ name, reason }) =>
    style.yellow(printableLine(`${name} was not asked: ${reason}`)),
  );
  return [...missing, ...ageLines(freshness, style)];
}

function ageLines(freshness: Freshness, style: Style): string[] {
  if (freshness.status === 'fresh') return [];
  if (freshness.status === 'syncing')
    return [style.yellow('The index is being brought up to date; run again for the newest.')];
  if (freshness.moved) return [style.yellow(`The index is stale: ${movedRef(freshness.ref)}`)];
  if (freshness.outdated) return [style.yellow(`The index is stale: ${OUTDATED}. Run \`sextant sync\`.`)];
  const what =
    freshness.pending.length > 0
      ? `${plural(freshness.pending.length, 'changed file')} not in it yet`
      : 'files have changed since';
  return [style.yellow(`The index is stale: ${what}. Run \`sextant sync\`.`)];
}

export const OUTDATED = 'another version of Sextant made it';

/** "main has moved since. Run `sextant index --ref main`." */
export function movedRef(ref: string): string {
  const shown = printableLine(ref);
  return `${shown} has moved since. Run \`sextant index --ref ${shown}\`.`;
}

export function freshnessJson(freshness: Freshness) {
  return {
    status: freshness.status,
    pending: freshness.pending,
    ref: freshness.ref,
    indexed_at_ms: freshness.indexedAtMs,
    ...(freshness.missing ? { missing: freshness.missing } : {}),
  };
}

export const FRESHNESS_FIELDS = [
  { field: 'freshness.status', meaning: '`fresh`, `stale` or `syncing`' },
  { field: 'freshness.pending[]', meaning: 'known changed paths that are not indexed yet' },
  { field: 'freshness.ref', meaning: 'what was searched' },
  { field: 'freshness.indexed_at_ms', meaning: 'when it was indexed, in milliseconds since 1970' },
  { field: 'freshness.missing[].name', meaning: 'in a workspace: a repository that did not answer' },
  { field: 'freshness.missing[].root', meaning: 'its folder' },
  { field: 'freshness.missing[].reason', meaning: 'the reason and its fix' },
];
