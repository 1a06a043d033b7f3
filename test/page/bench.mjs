// `npm run bench:page [-- PATH]`: first paint and the time from a key or click to the next paint, in a real browser.
// Without a path, on a made-up project of 5,000 files. Prints; asserts nothing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { prepare } from '../../scripts/prepare.mjs';
import { install } from './install.mjs';

const FILES = 5_000;
const ROUNDS = 7;

await prepare((line) => console.log(line));
install();
const { launchBrowser } = await import('./browser.mjs');
const { makeFolders, openTab, run, serve, settled } = await import('./served.mjs');
const folders = makeFolders();
const project = process.argv[2] === undefined ? writeFiles(folders.project) : resolve(process.argv[2]);
const browser = await launchBrowser();
if (!browser) process.exit(1);
let site;
try {
  run(folders.environment, ['index', '--path', project]);
  site = await serve(folders.environment, project);
  const paints = [];
  const interactions = new Map();
  // The first round warms server and browser, and does not count.
  for (let round = 0; round <= ROUNDS; round++) await measure(site, round > 0, paints, interactions);
  console.log(`first contentful paint: ${told(paints)}`);
  for (const [name, times] of interactions) console.log(`${name}: ${told(times)}`);
} finally {
  await site?.close();
  await browser.close();
  folders.remove();
}

async function measure(site, counts, paints, interactions) {
  const tab = await openTab(browser, site, { clock: null });
  const { page } = tab;
  await page.addInitScript(watchEvents);
  await tab.visit('#/');
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  if (counts) paints.push(paint);
  const step = async (name, act) => {
    await page.evaluate(() => {
      window.slowest = 0;
    });
    await act();
    await settled(page);
    const slowest = await page.evaluate(() => window.slowest);
    if (counts) interactions.set(name, [...(interactions.get(name) ?? []), slowest]);
  };
  await step('typing a name', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('handle', { delay: 40 });
    await page.locator('#suggestions [role=option]').first().waitFor();
  });
  await step('asking', () => page.keyboard.press('Enter'));
  await step('opening a result', () => page.locator('.result .title').first().click());
  await step('the next line', () => page.keyboard.press('j'));
  await step('opening the uses', () => page.keyboard.press('u'));
  await step('opening the map', () => page.getByRole('link', { name: 'Map', exact: true }).click());
  await step('choosing a module', () => page.locator('svg.map .module').first().click());
  await step('opening the code', () => page.getByRole('link', { name: 'Code', exact: true }).click());
  await tab.close();
}

/** Runs in the page: the longest way from an event to the paint behind it (Event Timing, in steps of 8 ms). */
function watchEvents() {
  window.slowest = 0;
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries())
      if (interactionId > 0) window.slowest = Math.max(window.slowest, duration);
  }).observe({ type: 'event', durationThreshold: 16 });
}

function told(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
  return `median ${at(0.5)} ms, slowest ${at(1)} ms of ${sorted.length}`;
}

/** Modules of 50 files that call one another. */
function writeFiles(folder) {
  for (let i = 0; i < FILES; i++) {
    const module = join(folder, `src/module${Math.floor(i / 50)}`);
    const before = i % 50 === 0 ? '' : `import { handle${i - 1} } from './file${i - 1}.ts';\n\n`;
    const call = i % 50 === 0 ? `input.length + ${i}` : `handle${i - 1}(input) + ${i}`;
    mkdirSync(module, { recursive: true });
    const body = `export function handle${i}(input: string): number {\n  return ${call};\n}\n`;
    writeFileSync(join(module, `file${i}.ts`), `${before}/** Handles the input of step ${i}. */\n${body}`);
  }
  return folder;
}
