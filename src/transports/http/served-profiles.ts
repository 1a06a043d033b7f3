/**
 * The profiles of one project by path, with the reason for each that is not served. The default profile has two paths.
 */
import type { Log, Metrics, Profile } from '../../contracts/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { toEngineError } from '../../model/records/engine-errors.ts';
import { createHost } from '../host.ts';
import { createEndpoint, type Endpoint } from './http-endpoint.ts';
import type { SessionLimits } from './http-sessions.ts';

export interface ProfilesOptions extends SessionLimits {
  readonly workspace: string | null;
  /** The first one is the default. */
  readonly profiles: readonly Profile[];
  readonly engine: () => Promise<Engine>;
  readonly metrics: Metrics;
  readonly log: Log;
}

export class ServedProfiles {
  readonly endpoints = new Map<string, Endpoint>();
  readonly unavailable = new Map<string, string>();

  get sessionCount(): number {
    return this.#distinct().reduce((sum, { sessionCount }) => sum + sessionCount, 0);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#distinct().map((endpoint) => endpoint.close()));
  }

  #distinct(): Endpoint[] {
    return [...new Set(this.endpoints.values())];
  }
}

export async function startProfiles(options: ProfilesOptions, shutdown: AbortSignal): Promise<ServedProfiles> {
  const served = new ServedProfiles();
  for (const profile of options.profiles) {
    try {
      await profile.start?.();
    } catch (thrown) {
      // A profile that fails to start must not affect the others.
      const error = toEngineError(thrown);
      if (options.profiles.length === 1) throw error;
      options.log('warn', 'profile not served', { profile: profile.name, error: error.message });
      served.unavailable.set(`/mcp/${profile.name}`, error.message);
      continue;
    }
    const endpoint = createEndpoint(createHost({ ...options, profile, shutdown }), options);
    served.endpoints.set(`/mcp/${profile.name}`, endpoint);
    if (served.endpoints.size === 1) served.endpoints.set('/mcp', endpoint);
  }
  return served;
}
