// `npm run test:faults`: every fault, all of its rounds. `npm test` runs a few of each. FAULTS_SEED=N makes other
// random choices.
import { join } from 'node:path';
import { root, run } from '../../scripts/prepare.mjs';

const env = { ...process.env, FAULTS: 'full' };
process.exit(
  run(process.execPath, [join(root, 'scripts/test.mjs'), 'test/faults/', ...process.argv.slice(2)], { env }),
);
