/**
 * A worker in a process of its own, with a short lease, to be killed: `worker-child.ts HOME PREFIX LEASE_MS URL,URL`.
 */
import { openFleet } from '../../src/fleet/index.ts';
import { engineConfig } from '../engine-config.ts';

const [home, prefix, leaseMs, urls] = process.argv.slice(2);
const fleet = openFleet({
  address: { urls: urls!.split(',') },
  prefix: prefix!,
  engine: engineConfig(home!),
  leaseMs: Number(leaseMs),
});
await fleet.work({
  follow: false,
  reconcileMs: 60_000,
  signal: new AbortController().signal,
  onSynced: ({ name }) => process.stdout.write(`synced ${name}\n`),
  onFailed: (name, error) => process.stdout.write(`failed ${name}: ${error.message}\n`),
});
await fleet.close();
