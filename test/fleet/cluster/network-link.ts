/**
 * A link to a network namespace of the test's own, which can be cut and joined. Both sides have their own loopback; the
 * ports of one side are reached on the other by two relays that talk over a socket in the file system. Addresses other
 * than the loopback would do without relays, but OpenSearch then demands limits that a test may not set.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface NetworkLink {
  readonly namespace: string;
  /** Makes ports of each side reachable from the other, before anything listens on them. */
  open(near: readonly number[], far: readonly number[]): Promise<void>;
  cut(): void;
  join(): void;
  remove(): void;
}

/** Why there can be none on this machine, or null. */
export function missingForLinks(): string | null {
  if (process.getuid?.() !== 0) return 'a network namespace needs root';
  const name = `sextant-probe-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return '`ip netns add` does not work here';
  spawnSync('ip', ['netns', 'delete', name]);
  return null;
}

export function createLink(): NetworkLink {
  const namespace = `sextant-${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), 'sextant-link-'));
  const relays: ChildProcess[] = [];
  ip('netns', 'add', namespace);
  ip('netns', 'exec', namespace, 'ip', 'link', 'set', 'lo', 'up');
  const tell = (word: string) => {
    for (const { stdin } of relays) stdin!.write(`${word}\n`);
  };
  /** One end: listens on the ports of the other side, and connects to those of its own. */
  const start = async (inside: readonly string[], own: string, other: string, ports: readonly number[]) => {
    const script = join(import.meta.dirname, 'relay.mjs');
    const [program, ...args] = [...inside, process.execPath, script, own, other, ...ports.map(String)];
    const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    relays.push(child);
    await once(child.stdout!, 'data');
  };
  return {
    namespace,
    async open(near, far) {
      const [a, b] = [join(folder, 'near'), join(folder, 'far')];
      await start([], a, b, far);
      await start(['ip', 'netns', 'exec', namespace], b, a, near);
    },
    cut: () => tell('cut'),
    join: () => tell('join'),
    remove() {
      for (const relay of relays) relay.kill('SIGKILL');
      ip('netns', 'delete', namespace);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
}
