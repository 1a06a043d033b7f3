/** A cluster as `run.ts` measures it, that stays until it is interrupted: prints what SEXTANT_FLEET_URLS has to say. */
import { once } from 'node:events';
import { startCluster } from '../../test/fleet/cluster/cluster.ts';
import { MEASURED } from './fleet.ts';

const cluster = await startCluster((line) => console.error(line), MEASURED);
console.log(`SEXTANT_FLEET_URLS=${cluster.urls.join(',')}`);
// A socket or a timer must keep the process alive while it waits for a signal.
const alive = setInterval(() => undefined, 60_000);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
clearInterval(alive);
await cluster.stop();
