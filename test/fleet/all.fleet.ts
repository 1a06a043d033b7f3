/**
 * Every promise of the fleet, in one process: the suites share one cluster, which takes half a minute to start.
 * SEXTANT_FLEET_URLS names the nodes of one that runs already, for work on the tests: those that stop nodes fail there.
 */
import { after, before } from 'node:test';
import { attachCluster, startCluster } from './cluster/cluster.ts';
import { shared } from './fleet-under-test.ts';
import './suites/deploying.suite.ts';
import './suites/operating.suite.ts';
import './suites/storing.suite.ts';
import './suites/shared.suite.ts';
import './suites/working.suite.ts';
import './suites/across.suite.ts';
import './suites/structure.suite.ts';
import './suites/admission.suite.ts';
import './suites/permissions.suite.ts';
import './suites/memory.suite.ts';
import './suites/page.suite.ts';
import './suites/serving.suite.ts';
import './suites/giving.suite.ts';
import './suites/faults.suite.ts';
import './suites/partition.suite.ts';

before(async () => {
  const running = process.env.SEXTANT_FLEET_URLS;
  shared.cluster = running ? attachCluster(running.split(',')) : await startCluster((line) => console.log(line));
});

after(async () => {
  await shared.cluster?.stop();
});
