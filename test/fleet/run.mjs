// `npm run test:fleet [-- NAME]`: the fleet's promises on a real cluster of three nodes, which it brings from Maven and PyPI (once, cached
// outside of the repository: SEXTANT_FLEET_CACHE), starts and stops. Only tests whose names contain NAME, where one is given.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, root } from '../../scripts/prepare.mjs';

const here = dirname(fileURLToPath(import.meta.url));
await prepare((line) => console.log(line));
const named = process.argv.slice(2).flatMap((filter) => ['--test-name-pattern', filter]);
const args = ['--import', 'tsx', '--test', '--test-concurrency=1', ...named, join(here, 'all.fleet.ts')];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root });
process.exit(status ?? 1);
