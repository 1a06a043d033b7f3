/** Flags that every fleet command takes. */
import type { Fleet } from '../../../fleet/fleet.ts';
import type { Session } from '../../running/command-session.ts';

export const URL_FLAG = {
  kind: 'list',
  value: 'URL',
  commas: true,
  help: 'Nodes of OpenSearch (default: the setting fleet.url)',
} as const;

/** Runs `work` with the fleet, and closes its connections. */
export async function withFleet<T>(
  session: Session,
  urls: readonly string[] | undefined,
  work: (fleet: Fleet) => Promise<T>,
): Promise<T> {
  const fleet = await session.outside.openFleet(await session.settings('.'), urls ?? []);
  try {
    return await work(fleet);
  } finally {
    await fleet.close();
  }
}
