/** A real cluster of three nodes on loopback, for the time of a test run. */
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheFolder, type Distribution, prepareDistribution } from './distribution.ts';
import type { NetworkLink } from './network-link.ts';
import { lastWords, layOut, type NodePlan, startNode } from './node-process.ts';

const NAMES = ['node-1', 'node-2', 'node-3'];
const START_LIMIT_MS = 240_000;
const REVIVE_LIMIT_MS = 120_000;

export interface Cluster {
  readonly urls: readonly string[];
  /** SIGKILL, as if the machine had lost power; resolves when the process is gone. */
  kill(node: number): Promise<void>;
  /** SIGSTOP and SIGCONT: there, but answering nobody. */
  pause(node: number): void;
  resume(node: number): void;
  restart(node: number): Promise<void>;
  /** Starts nodes that were killed; resolves when the cluster is green. */
  revive(...nodes: number[]): Promise<void>;
  /** Resolves when every shard is where it should be and all nodes are there. */
  green(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly heapMb?: number;
  /** For measurements. */
  readonly isLongRunning?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** The last node runs behind this link, which can be cut. */
  readonly link?: NetworkLink;
}

export async function startCluster(
  say: (line: string) => void,
  { heapMb = 512, isLongRunning = false, settings = {}, link }: ClusterOptions = {},
): Promise<Cluster> {
  const distribution = prepareDistribution(say);
  const runs = join(cacheFolder(), 'runs');
  mkdirSync(runs, { recursive: true });
  const folder = mkdtempSync(join(runs, 'cluster-'));
  // The temporary folder is its maker's alone, and the nodes may run as somebody else.
  chmodSync(folder, 0o755);
  const ports = await freePorts(NAMES.length * 2);
  const transport = ports.slice(NAMES.length);
  const isBehind = (i: number) => link !== undefined && i === NAMES.length - 1;
  const last = NAMES.length - 1;
  await link?.open(transport.slice(0, last), [ports[last]!, transport[last]!]);
  const plans = NAMES.map(
    (name, i): NodePlan => ({
      name,
      folder: join(folder, name),
      namespace: isBehind(i) ? link!.namespace : null,
      httpPort: ports[i]!,
      transportPort: transport[i]!,
      seeds: transport,
      names: NAMES,
      heapMb,
      isLongRunning,
      settings,
    }),
  );
  for (const plan of plans) layOut(distribution.home, plan);
  const cluster = new RunningCluster(distribution, plans, folder, say);
  say('Starting three nodes of OpenSearch …');
  try {
    for (let node = 0; node < plans.length; node++) cluster.start(node);
    await cluster.green();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}

/** One that somebody else started, and stops. */
export function attachCluster(urls: readonly string[]): Cluster {
  const refuse = () => {
    throw new Error('This cluster was not started by the tests: its nodes are not theirs to stop.');
  };
  const kill = async () => refuse();
  return {
    urls,
    kill,
    pause: refuse,
    resume: refuse,
    restart: kill,
    revive: kill,
    green: async () => {},
    stop: async () => {},
  };
}

class RunningCluster implements Cluster {
  readonly urls: readonly string[];
  readonly #distribution: Distribution;
  readonly #plans: readonly NodePlan[];
  readonly #folder: string;
  readonly #say: (line: string) => void;
  readonly #processes: (ChildProcess | null)[] = [];

  constructor(distribution: Distribution, plans: readonly NodePlan[], folder: string, say: (line: string) => void) {
    this.#say = say;
    this.#distribution = distribution;
    this.#plans = plans;
    this.#folder = folder;
    this.urls = plans.map(({ httpPort }) => `http://127.0.0.1:${httpPort}`);
  }

  start(node: number): void {
    const child = startNode(this.#distribution, this.#plans[node]!);
    child.on('error', () => {});
    this.#processes[node] = child;
  }

  async kill(node: number): Promise<void> {
    const child = this.#processes[node];
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  pause(node: number): void {
    this.#processes[node]?.kill('SIGSTOP');
  }

  resume(node: number): void {
    this.#processes[node]?.kill('SIGCONT');
  }

  async restart(node: number): Promise<void> {
    await this.kill(node);
    this.start(node);
    await this.green();
  }

  async revive(...nodes: number[]): Promise<void> {
    for (const node of nodes) this.start(node);
    if (await this.#isGreenWithin(REVIVE_LIMIT_MS)) return;
    // OpenSearch 3.6.0 on a busy machine: a copy that became the primary while the quorum was lost may stay out of
    // primary mode ("shard is not in primary mode"). It takes no writes and makes no copies until its node starts again.
    for (const node of this.#processes.keys()) {
      if (nodes.includes(node)) continue;
      this.#say(`${NAMES[node]} is started again: it holds a primary that is not in primary mode.`);
      await this.restart(node);
    }
  }

  async green(): Promise<void> {
    if (await this.#isGreenWithin(START_LIMIT_MS)) return;
    throw new Error(
      `The cluster is not green after ${START_LIMIT_MS / 1000} s:\n${this.#plans.map(lastWords).join('\n---\n')}`,
    );
  }

  async #isGreenWithin(limitMs: number): Promise<boolean> {
    const limit = Date.now() + limitMs;
    while (Date.now() < limit) {
      const dead = this.#processes.findIndex(
        (child) => child && (child.exitCode !== null || child.signalCode !== null),
      );
      if (dead >= 0) throw new Error(`${NAMES[dead]} ended:\n${lastWords(this.#plans[dead]!)}`);
      if (await this.#isGreen()) return true;
      await delay(300);
    }
    return false;
  }

  async #isGreen(): Promise<boolean> {
    try {
      for (const url of this.urls) {
        const path = `/_cluster/health?wait_for_status=green&wait_for_nodes=${NAMES.length}&timeout=5s`;
        const answer = await fetch(url + path, { signal: AbortSignal.timeout(10_000) });
        if (!answer.ok) return false;
        const { status, number_of_nodes: nodes } = (await answer.json()) as { status: string; number_of_nodes: number };
        if (status !== 'green' || nodes !== NAMES.length) return false;
      }
      return true;
    } catch {
      return false;
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#plans.map((_, node) => this.kill(node)));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Below the ports that systems give to outgoing connections, Linux from 32768 on. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/**
 * A node binds its port seconds after it is chosen here, and again after it was killed. A port that the system picks
 * could meanwhile become the near end of anybody's connection.
 */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isOurs = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isOurs) await new Promise((done) => server.close(done));
  return isOurs;
}
