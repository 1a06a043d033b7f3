/** A node of the fleet as people run it: the built binary, asked by the official client. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FleetUnderTest } from './fleet-under-test.ts';

export interface NodeUnderTest {
  readonly url: string;
  /** Its data folder. */
  readonly home: string;
  /** Where repositories are laid out. */
  readonly folder: string;
  readonly process: ChildProcess;
  client(subject: string): Promise<Client>;
  clientWith(token: string): Promise<Client>;
  stop(): Promise<void>;
}

const binary = join(import.meta.dirname, '../../bin/sextant');
const tokenOf = (subject: string) => `token-of-${subject}-for-tests`;
let nodes = 0;

/** A test asks more than a person may in a minute. */
export const FREELY = ['--requests-per-minute', '1000000'];

export async function serveFleet(
  under: FleetUnderTest,
  subjects: Readonly<Record<string, readonly string[]>>,
  more: readonly string[] = [],
  home = join(under.folder, `node-${nodes + 1}`),
): Promise<NodeUnderTest> {
  nodes++;
  const tokens = join(under.folder, `tokens-${nodes}`);
  const lines = Object.entries(subjects).map(([name, groups]) => `${name} ${tokenOf(name)} ${groups.join(',')}`);
  writeFileSync(tokens, `${lines.join('\n')}\n`, { mode: 0o600 });
  const child = runSextant(under, home, ['fleet', 'serve', '--port', '0', '--tokens', tokens, ...more]);
  const clients: Client[] = [];
  const stop = async () => {
    await Promise.all(clients.splice(0).map((client) => client.close().catch(() => undefined)));
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  };
  under.beforeEnd(stop);
  const url = await addressIn(child);
  const clientWith = async (token: string) => {
    const client = new Client({ name: 'test', version: '1' });
    const headers = { Authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
    clients.push(client);
    return client;
  };
  return {
    url,
    home,
    folder: join(home, 'fleet/cache/repositories'),
    process: child,
    client: (subject) => clientWith(tokenOf(subject)),
    clientWith,
    stop,
  };
}

/** The binary on this fleet, with a data folder of its own. */
export function runSextant(
  under: FleetUnderTest,
  home: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): ChildProcess {
  const env = {
    ...process.env,
    SEXTANT_HOME: home,
    SEXTANT_FLEET_URL: under.fleetConfig.address.urls.join(','),
    SEXTANT_FLEET_PREFIX: under.prefix,
    ...more,
  };
  return spawn(process.execPath, [binary, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Indexes what waits by the binary: what is built derives under another name than the sources that run the tests. */
export async function indexByBinary(under: FleetUnderTest): Promise<void> {
  const child = runSextant(under, join(under.folder, 'binary-worker'), ['fleet', 'index']);
  child.stdout!.resume();
  child.stderr!.resume();
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`sextant fleet index ended with ${code}`);
}

function addressIn(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const look = (piece: Buffer) => {
      output += piece;
      const url = /(http:\/\/\S+)\/mcp/.exec(output)?.[1];
      if (url) resolve(url);
    };
    child.stdout!.on('data', look);
    child.stderr!.on('data', look);
    child.once('exit', () => reject(new Error(`The node did not start:\n${output}`)));
  });
}

/** One answer of a tool as an agent would read all of it. */
export async function askTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<{ readonly isError: boolean; readonly text: string }> {
  const result = await client.callTool({ name, arguments: { ...args } }).catch((error: Error) => ({
    isError: true,
    content: [{ type: 'text', text: error.message }],
    structuredContent: {},
  }));
  return { isError: result.isError === true, text: JSON.stringify([result.content, result.structuredContent]) };
}
