// `npm run test:hostile`: every attack of a hostile repository or client, for as long as it takes. `npm test` runs the
// quick ones.
import { join } from 'node:path';
import { root, run } from '../../scripts/prepare.mjs';

const env = { ...process.env, HOSTILE: 'full' };
const files = ['test/hostile/', 'walk/git/process/hostile-', 'repository-file.test', ...process.argv.slice(2)];
process.exit(run(process.execPath, [join(root, 'scripts/test.mjs'), ...files], { env }));
