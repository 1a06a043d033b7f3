// `npm test [-- FILTER…]`: installs and builds what is missing, checks types and style, runs every *.test.ts below src/
// and test/.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, run } from './prepare.mjs';

await prepare((line) => console.log(line));
const filters = process.argv.slice(2);
const bin = (name) => join(root, 'node_modules/.bin', name);

if (filters.length === 0) {
  for (const [what, command, args] of [
    ['Checking types', bin('tsc'), ['-p', '.']],
    ['Checking the page', bin('tsc'), ['-p', 'src/web/page']],
    ['Checking style', bin('biome'), ['check', '--error-on-warnings', '.']],
  ]) {
    console.log(`${what} …`);
    const status = run(command, args);
    if (status !== 0) process.exit(status);
  }
}

const files = ['src', 'test', 'bench', 'training']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)))
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
  .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
  .sort();
if (files.length === 0) {
  console.error(`No test file matches ${filters.join(' ')}.`);
  process.exit(1);
}
console.log(`Running ${files.length} test files …`);
process.exit(run(process.execPath, ['--import', 'tsx', '--test', '--test-concurrency=2', ...files]));
