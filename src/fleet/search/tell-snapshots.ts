/** Describes the commits that an answer is based on, and their age. */
import type { SnapshotHead } from '../snapshots/published-snapshots.ts';

/** Maximum of named repositories; with more, their number and the oldest snapshot are reported. */
const MAX_NAMED = 3;

export function describeSnapshots(heads: readonly SnapshotHead[], now = Date.now()): { readonly snapshot?: string } {
  const [oldest, ...others] = [...heads].sort((a, b) => a.publishedAtMs - b.publishedAtMs);
  if (!oldest) return {};
  if (heads.length <= MAX_NAMED) return { snapshot: heads.map((head) => describeHead(head, now)).join('; ') };
  return { snapshot: `${others.length + 1} repositories, the oldest ${describeHead(oldest, now)}` };
}

/** For an answer that is plain text. */
export function withSnapshotLine(text: string, { snapshot }: { readonly snapshot?: string }): string {
  return snapshot === undefined ? text : `${text.trimEnd()}\n\nSnapshot: ${snapshot}.\n`;
}

function describeHead({ repository, ref, commit, publishedAtMs }: SnapshotHead, now: number): string {
  return `${repository} ${ref} ${commit.slice(0, 12)}, ${ageOf(now - publishedAtMs)} old`;
}

function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
