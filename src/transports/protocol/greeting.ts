/**
 * The answer to `initialize`, built from the profile alone. Over stdio it is sent before the SDK is loaded: an agent
 * waits for it at every start, and loading the SDK takes longer than starting Node. The server built on the SDK answers
 * with the same function.
 */
import type { Profile } from '../../contracts/index.ts';
import { isRecord } from '../../model/runtime/is-record.ts';
import { LEGACY_VERSIONS, PROTOCOL_VERSION_KEY, serverCapabilities } from './capabilities.ts';
import { hasFeature, serverInfoToWire } from './wire-shape.ts';

export function initializeResult(profile: Profile, version: string): Record<string, unknown> {
  const { tasks, completions, ...capabilities } = serverCapabilities(profile, 'legacy');
  return {
    protocolVersion: version,
    capabilities: {
      ...capabilities,
      ...(completions && hasFeature(version, 'completions') && { completions }),
      ...(tasks && hasFeature(version, 'tasks') && { tasks }),
    },
    serverInfo: serverInfoToWire(profile.serverInfo, version),
    instructions: profile.instructions,
  };
}

/** Returns null if the request is malformed or of the 2026 era: the SDK then answers it. */
export function greet(profile: Profile, params: unknown): Record<string, unknown> | null {
  if (!isRecord(params) || !isRecord(params.capabilities) || !isRecord(params.clientInfo)) return null;
  const { protocolVersion, clientInfo, _meta: meta } = params;
  if (typeof clientInfo.name !== 'string' || typeof clientInfo.version !== 'string') return null;
  if (typeof protocolVersion !== 'string' || (isRecord(meta) && PROTOCOL_VERSION_KEY in meta)) return null;
  return initializeResult(profile, LEGACY_VERSIONS.includes(protocolVersion) ? protocolVersion : LEGACY_VERSIONS[0]!);
}
