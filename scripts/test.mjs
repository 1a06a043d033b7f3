// `npm test [-- FILTER…]`: installs and builds what is missing, checks types and style, runs the *.test.ts of src,
// test, bench and training. Faults take minutes and are a suite of their own: `npm run test:faults`. So are the files
// of SLOW, with `npm run test:slow`; .ci/run calls both.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { prepare, root, run } from './prepare.mjs';

await prepare((line) => console.log(line));
/**
 * Test files that take more than five seconds of CPU each: grammars, random texts, a build, killed processes, many
 * clients.
 */
const SLOW = [
  'src/languages/runtime/fuzz.test.ts',
  'src/languages/runtime/grammar/compiled-query.test.ts',
  'src/languages/runtime/grammar/syntax-node.test.ts',
  'src/store/sqlite/crash.test.ts',
  'test/add-language.test.ts',
  'test/cli/installation.test.ts',
  'test/cli/trouble.test.ts',
  'test/contracts/sextant/many-clients.test.ts',
  'test/engine/providers.test.ts',
];
const isSlowRun = process.argv.includes('--slow');
const filters = isSlowRun ? SLOW : process.argv.slice(2);
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
  .map((path) => path.split(sep).join('/'))
  .filter((path) =>
    filters.length === 0
      ? !path.startsWith('test/faults/') && !SLOW.includes(path)
      : filters.some((filter) => path.includes(filter)),
  )
  .sort();
if (files.length === 0) {
  console.error(`No test file matches ${filters.join(' ')}.`);
  process.exit(1);
}
console.log(`Running ${files.length} test files …`);
const { bundleTests } = await import('./bundle-tests.mjs');
const bundled = await bundleTests(files);
// One file more than there are cores, because many tests wait for a child process or a timer.
const concurrency = `--test-concurrency=${availableParallelism() + 1}`;
process.exit(run(process.execPath, ['--enable-source-maps', '--test', concurrency, ...bundled]));
