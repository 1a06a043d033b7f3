/** The SDK behind an open wire. A file of its own, because it is loaded after the client has been greeted. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ProfileHost } from './host.ts';
import { ProfileServer } from './profile-server.ts';
import type { StdioWire } from './stdio-wire.ts';

export function connectWire(wire: StdioWire, host: ProfileHost): { close(): Promise<void> } {
  return serveStdio(({ era }) => new ProfileServer(host, era), {
    transport: wire,
    onerror: (error) => host.log('debug', 'protocol', { error: error.message }),
  });
}
