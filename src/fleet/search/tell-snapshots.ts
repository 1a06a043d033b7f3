/** Describes the commits that an answer is based on, and their age. */
import type { Engine } from '../../engine/engine.ts';
import type { SnapshotHead } from '../snapshots/published-snapshots.ts';

/** Maximum of named repositories; with more, their number and the oldest snapshot are reported. */
const MAX_NAMED = 3;

export function describeSnapshots(heads: readonly SnapshotHead[], now = Date.now()): { readonly snapshot?: string } {
  const snapshot = describe(heads, (publishedAtMs) => `${ageOf(now - publishedAtMs)} old`);
  return snapshot === null ? {} : { snapshot };
}

type MapOptions = Parameters<Engine['map']>[1];

const CHARACTERS_OF_TOKEN = 4;

/**
 * A map with its snapshots, within the budget of the call. Prompts quote it: it has the time instead of the age, and is
 * the same text as long as the snapshots are.
 */
export async function mapWithSnapshots(
  heads: readonly SnapshotHead[],
  options: MapOptions,
  map: (options: MapOptions) => Promise<string>,
): Promise<string> {
  const snapshot = describe(heads, (publishedAtMs) => `published ${new Date(publishedAtMs).toISOString()}`);
  if (snapshot === null) return map(options);
  const line = `\n\nSnapshot: ${snapshot}.\n`;
  const maxTokens = options?.maxTokens && options.maxTokens - Math.ceil(line.length / CHARACTERS_OF_TOKEN);
  const text = await map(maxTokens === undefined ? options : { ...options, maxTokens: Math.max(1, maxTokens) });
  return text.trimEnd() + line;
}

/** Null if no snapshot is involved. */
function describe(heads: readonly SnapshotHead[], when: (publishedAtMs: number) => string): string | null {
  const [oldest, ...others] = [...heads].sort((a, b) => a.publishedAtMs - b.publishedAtMs);
  if (!oldest) return null;
  const describeOne = ({ repository, ref, commit, publishedAtMs }: SnapshotHead) =>
    `${repository} ${ref} ${commit.slice(0, 12)}, ${when(publishedAtMs)}`;
  if (heads.length <= MAX_NAMED) return heads.map(describeOne).join('; ');
  return `${others.length + 1} repositories, the oldest ${describeOne(oldest)}`;
}

function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
