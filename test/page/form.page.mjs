// Form: every view in both schemes and both widths is accessible (axe-core), stands still while it loads, and looks as
// it looked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { axeFindings, watchShifts } from './findings.mjs';
import { comparePicture } from './pictures.mjs';
import { shared, withTab } from './site.mjs';

const VIEWS = {
  overview: '#/',
  file: '#/file?path=src%2Fcart%2Fcart.ts&lines=9-13',
  folder: '#/folder?path=src',
  search: '#/search?q=price%20in%20cents',
  research: '#/search?q=what%20calls%20price',
  ribbon: '#/search?q=how%20does%20handle%20reach%20price',
  nothing: '#/search?q=zyzzyva%20quux',
  symbol: '#/symbol?name=checkout',
  map: '#/map',
  impact: '#/impact?diff=HEAD%5E!',
  memory: '#/memory',
  activity: '#/activity',
};
/** Their figures differ from run to run: times and sizes. */
const NOT_THE_SAME = new Set(['activity', 'search', 'nothing']);
/** Their sentences are the engine's. */
const ANSWERS = new Set(['research', 'ribbon', 'impact', 'memory']);
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };
const MAX_SHIFT = 0.02;

for (const [size, viewport] of Object.entries(SIZES))
  for (const scheme of ['light', 'dark'])
    for (const [view, hash] of Object.entries(VIEWS))
      test(`${view}, ${size}, ${scheme}: accessible, still, as it was`, () =>
        withTab({ ...viewport, scheme }, async (page, tab) => {
          await page.addInitScript(watchShifts);
          await tab.visit(hash);
          const { shift, moved } = await page.evaluate(() => window.shifts);
          assert.ok(shift <= MAX_SHIFT, `moved by ${shift}: ${moved.join(', ')}`);
          assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            'the page is wider than the screen',
          );
          assert.deepEqual(await axeFindings(page), []);
          if (NOT_THE_SAME.has(view)) return;
          assert.equal(
            comparePicture(`${view}-${size}-${scheme}`, await page.screenshot(), ANSWERS.has(view) ? 'answer' : 'page'),
            null,
          );
        }));

test('the widest screen is used, and nothing is cut off', () =>
  withTab({ width: 2560, height: 1300 }, async (page, tab) => {
    for (const hash of Object.values(VIEWS)) {
      await tab.visit(hash);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), hash);
    }
  }));

test('everything of the frame is reached by Tab, the content by the first link', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'To the content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
    await page.reload();
    const reached = [];
    for (let i = 0; i < 15; i++) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(
          () => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent,
        ),
      );
    }
    for (const name of ['Ask', 'Overview', 'Code', 'Map', 'Impact', 'Memory', 'Activity', 'Colours: auto', 'Keys'])
      assert.ok(reached.includes(name), `${name} is not among ${reached.join(', ')}`);
  }));

test('? lists the keys, those of the view among them', () =>
  withTab({}, async (page, tab) => {
    await tab.visit(VIEWS.file);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.waitFor();
    assert.match(await help.textContent(), /\/ask.*wwhy/s);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
  }));

test('the scheme is the reader’s choice and stays', () =>
  withTab({ scheme: 'light' }, async (page, tab) => {
    await tab.visit('#/');
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: 'Colours: auto' }).click();
    await page.getByRole('button', { name: 'Colours: light' }).click();
    await page.locator('html[data-scheme=dark]').waitFor();
    assert.notEqual(await ground(), light);
    const dark = await ground();
    await page.reload();
    await page.getByRole('button', { name: 'Colours: dark' }).waitFor();
    assert.equal(await ground(), dark);
  }));

test('the page weighs no more than 250 KB on its way', async () => {
  const response = await fetch(`${shared.site.base}/`, { headers: { 'accept-encoding': 'br' } });
  const html = Buffer.from(await response.arrayBuffer());
  const size = brotliCompressSync(html).length;
  assert.ok(size <= 250 * 1024, `${size} bytes`);
});

test('text of the project is never markup, and nothing but the page’s own script runs', () =>
  withTab({}, async (page, tab) => {
    await tab.visit(`#/search?q=${encodeURIComponent('<img src=x onerror=alert(1)>')}`);
    assert.equal(await page.locator('main img').count(), 0);
    const blocked = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      return window.ran === undefined;
    });
    assert.ok(blocked);
    tab.faults.length = 0; // The browser reports what it blocked.
  }));
