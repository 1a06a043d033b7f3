// `npm run screenshots -- PATH`: the page on a project, as docs/pictures/page-*.png for the README and docs/page.md.
// The names and questions below are those of gin-gonic/gin.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { install } from '../test/page/install.mjs';
import { prepare, root } from './prepare.mjs';

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('Usage: npm run screenshots -- PATH (a clone of gin-gonic/gin)');
  process.exit(2);
}
const PICTURES = [
  { name: 'overview', hash: '#/', scheme: 'light' },
  { name: 'reading', hash: '#/file?path=gin.go&lines=662-675', scheme: 'light', hover: '#L672 .id' },
  { name: 'search', hash: '#/search?q=how%20is%20a%20route%20matched', scheme: 'dark' },
  { name: 'calls', hash: '#/symbol?name=handleHTTPRequest', scheme: 'light' },
  { name: 'impact', hash: '#/impact?target=Context.JSON', scheme: 'dark' },
];

await prepare((line) => console.log(line));
install();
const { launchBrowser } = await import('../test/page/browser.mjs');
const { makeFolders, openTab, run, serve } = await import('../test/page/served.mjs');

const project = resolve(path);
const { environment, remove } = makeFolders();
const browser = await launchBrowser();
if (!browser) process.exit(1);
let site;
try {
  run(environment, ['index', '--path', project]);
  site = await serve(environment, project);
  mkdirSync(join(root, 'docs/pictures'), { recursive: true });
  for (const picture of PICTURES) await take(site, picture);
} finally {
  await site?.close();
  await browser.close();
  remove();
}

async function take(site, { name, hash, scheme, hover }) {
  // The clock is set to the day after the last commit, so that ages are the same in every run.
  const clock = new Date(lastCommitMs() + 24 * 60 * 60 * 1000);
  const tab = await openTab(browser, site, { width: 1280, height: 800, scheme, clock });
  await tab.visit(hash);
  if (hover) {
    await tab.page.locator(hover).last().hover();
    await tab.page.getByRole('tooltip').waitFor();
  }
  await tab.page.screenshot({ path: join(root, `docs/pictures/page-${name}.png`) });
  if (tab.faults.length > 0) throw new Error(tab.faults.join('\n'));
  await tab.close();
  console.log(`docs/pictures/page-${name}.png`);
}

function lastCommitMs() {
  const seconds = execFileSync('git', ['-C', project, 'log', '-1', '--format=%ct'], { encoding: 'utf8' });
  return Number(seconds) * 1000;
}
