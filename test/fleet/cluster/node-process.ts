/** One OpenSearch node as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guardChild, startGuard } from '../../../src/model/runtime/child-guard.ts';
import type { Distribution } from './distribution.ts';

const NOBODY = 65534;

export interface NodePlan {
  readonly name: string;
  readonly folder: string;
  /** The network namespace that it runs in; null: that of the test. */
  readonly namespace: string | null;
  readonly httpPort: number;
  readonly transportPort: number;
  readonly seeds: readonly number[];
  readonly names: readonly string[];
  readonly heapMb: number;
  /** Compiled in full, as a node that runs for days is; tests are over before that pays. */
  readonly isLongRunning: boolean;
  /** Settings beside those of every node. */
  readonly settings: Readonly<Record<string, string>>;
}

const isRoot = process.getuid?.() === 0;

/** Writes the node's folder: configuration, data, logs. */
export function layOut(home: string, plan: NodePlan): void {
  const { folder } = plan;
  for (const name of ['data', 'logs', 'tmp']) mkdirSync(join(folder, name), { recursive: true });
  cpSync(join(home, 'config'), join(folder, 'config'), { recursive: true });
  const settings = {
    'cluster.name': 'sextant-fleet-test',
    'node.name': plan.name,
    'path.data': join(folder, 'data'),
    'path.logs': join(folder, 'logs'),
    'network.host': '127.0.0.1',
    'http.port': String(plan.httpPort),
    'transport.port': String(plan.transportPort),
    'discovery.seed_hosts': JSON.stringify(plan.seeds.map((port) => `127.0.0.1:${port}`)),
    'cluster.initial_cluster_manager_nodes': JSON.stringify(plan.names),
    'node.store.allow_mmap': 'false',
    'cluster.routing.allocation.disk.threshold_enabled': 'false',
    // A node that is gone is noticed within seconds, as it would be after the default half a minute.
    'cluster.fault_detection.follower_check.timeout': '3s',
    'cluster.fault_detection.leader_check.timeout': '3s',
    // A copy whose step was lost with a killed node is tried again soon, as it would be after the default of minutes.
    'indices.recovery.internal_action_timeout': '15s',
    'indices.recovery.internal_action_retry_timeout': '15s',
    'indices.recovery.recovery_activity_timeout': '30s',
    ...plan.settings,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${value}`);
  writeFileSync(join(folder, 'config/opensearch.yml'), `${lines.join('\n')}\n`);
  if (isRoot) for (const name of ['', 'config', 'data', 'logs', 'tmp']) chownSync(join(folder, name), NOBODY, NOBODY);
}

/** OpenSearch refuses to run as root. In a session of its own, so that Ctrl-C reaches the test first. */
export function startNode({ home, java }: Distribution, plan: NodePlan): ChildProcess {
  const { folder } = plan;
  const log = openSync(join(folder, 'process.log'), 'a');
  const args = [
    java,
    `-Xms${plan.heapMb}m`,
    `-Xmx${plan.heapMb}m`,
    '-XX:+UseSerialGC',
    ...(plan.isLongRunning ? [] : ['-XX:TieredStopAtLevel=1']),
    '-Xshare:auto',
    `-Djava.io.tmpdir=${join(folder, 'tmp')}`,
    `-XX:ErrorFile=${join(folder, 'logs/crash.log')}`,
    '-Dorg.apache.lucene.store.MMapDirectory.sharedArenaMaxPermits=1',
    `-javaagent:${join(home, 'agent/opensearch-agent.jar')}`,
    '--add-opens=java.base/java.nio=ALL-UNNAMED',
    '-Dlog4j2.formatMsgNoLookups=true',
    '-Djava.security.manager=disallow',
    `-Dopensearch.path.home=${home}`,
    `-Dopensearch.path.conf=${join(folder, 'config')}`,
    '-Dopensearch.distribution.type=zip',
    '-Dopensearch.bundled_jdk=false',
    '-cp',
    join(home, 'lib/*'),
    'org.opensearch.bootstrap.OpenSearch',
  ];
  const drop = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];
  const inside = plan.namespace === null ? [] : ['ip', 'netns', 'exec', plan.namespace];
  const [program, ...rest] = [...inside, ...(isRoot ? drop : []), ...args];
  // Should this process be killed, its nodes go with it.
  startGuard();
  return guardChild(spawn(program!, rest, { cwd: folder, detached: true, stdio: ['ignore', log, log] }));
}

export function lastWords(plan: NodePlan): string {
  try {
    return readFileSync(join(plan.folder, 'process.log'), 'utf8').slice(-3000);
  } catch {
    return '';
  }
}
