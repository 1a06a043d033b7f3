// `npm run test:faults`: every fault, all of its rounds; with `-- --quick` a few rounds of each quick fault.
// FAULTS_SEED=N makes other random choices.
import { join } from 'node:path';
import { root, run } from '../../scripts/prepare.mjs';

const isQuick = process.argv.includes('--quick');
const filters = process.argv.slice(2).filter((argument) => argument !== '--quick');
const env = { ...process.env, FAULTS: isQuick ? 'quick' : 'full' };
process.exit(
  run(process.execPath, [join(root, 'scripts/test.mjs'), ...(filters.length > 0 ? filters : ['test/faults/'])], {
    env,
  }),
);
