// `npm run test:page`: the page in a real browser against the built server. Skips, loudly, where no browser runs;
// `--required` ends with 77 instead.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from '../../scripts/prepare.mjs';
import { install } from './install.mjs';

/** The exit code by which .ci/run knows that it must install one. */
const NO_BROWSER = 77;
const here = dirname(fileURLToPath(import.meta.url));
await prepare((line) => console.log(line));
install();
const { launchBrowser } = await import('./browser.mjs');
const browser = await launchBrowser();
if (!browser) {
  console.error(
    '\n!!! THE PAGE WAS NOT TESTED: neither the Chromium of the npm package nor one of the system runs here. !!!\n',
  );
  process.exit(process.argv.includes('--required') ? NO_BROWSER : 0);
}
console.log(`Chromium ${browser.version()}`);
await browser.close();
const filters = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const named = filters.flatMap((filter) => ['--test-name-pattern', filter]);
const { status } = spawnSync(process.execPath, ['--test', ...named, join(here, 'all.page.mjs')], { stdio: 'inherit' });
process.exit(status ?? 1);
