// Asking: one box, answers while typing, results by file, filters, research, an empty answer that helps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from './served.mjs';
import { shared, withTab } from './site.mjs';

test('names and paths are offered while somebody types, and chosen by keys', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/');
    await page.keyboard.press('/');
    await page.keyboard.type('checkout');
    const options = page.locator('#suggestions [role=option]');
    await options.first().waitFor();
    assert.match((await options.allTextContents()).join('\n'), /checkout.*src\/cart\/checkout\.ts/s);
    assert.equal(await page.getByRole('combobox', { name: 'Ask' }).getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('ArrowDown');
    assert.equal(await options.first().getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.startsWith('#/symbol'));
    await page.keyboard.press('/');
    await page.keyboard.type('cart.ts');
    await options.first().waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelectorAll('#suggestions [role=option]').length === 0);
  }));

test('results are grouped by file, with what matched and how well in three steps', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/search?q=price%20in%20cents');
    const groups = page.locator('.results .group');
    assert.ok((await groups.count()) > 2);
    const paths = await page.locator('.results .group > header .path').allTextContents();
    assert.equal(new Set(paths).size, paths.length, 'each file once');
    const first = page.locator('.result').first();
    assert.match(await first.textContent(), /(?:strong|good|weak) match/);
    assert.match(await first.textContent(), /matched /);
    assert.ok((await first.locator('mark').count()) > 0);
    assert.doesNotMatch(await page.locator('.results').textContent(), /\d+ ?%/);
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.startsWith('#/file'));
  }));

test('filters narrow the results, and back takes them off', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/search?q=read%20sales%20report');
    await page.getByRole('link', { name: 'python', exact: true }).click();
    await settled(page);
    assert.deepEqual([...new Set(await page.locator('.results .path').allTextContents())], ['tools/report.py']);
    assert.equal(await page.getByRole('link', { name: 'python', exact: true }).getAttribute('aria-current'), 'true');
    await page.goBack();
    await page.waitForFunction(() => !location.hash.includes('lang='));
    await tab.visit('#/search?q=checkout&tests=no');
    assert.doesNotMatch(await page.locator('.results').textContent(), /test\/cart\.test\.ts/);
    await tab.visit('#/search?q=price&in=src%2Fmoney');
    for (const path of await page.locator('.results .path').allTextContents()) assert.match(path, /^src\/money\//);
  }));

test('more results than fit a page are on the next one', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/search?q=value&in=src');
    const next = page.getByRole('link', { name: 'next →' });
    if ((await next.count()) === 0) return;
    await next.click();
    await page.getByText('page 2').waitFor();
  }));

test('a question about structure is answered by research: sentences, a picture and the code that proves them', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/search?q=what%20calls%20formatPrice');
    assert.match(
      await page.locator('.sentences').textContent(),
      /checkout calls formatPrice at src\/cart\/checkout\.ts:8/,
    );
    assert.ok((await page.locator('svg.graph .node').count()) >= 2);
    await page.locator('.sentences a', { hasText: 'src/cart/checkout.ts:8' }).first().click();
    await page.waitForFunction(() => location.hash.includes('lines=8'));
    await tab.visit('#/search?q=what%20calls%20formatPrice');
    await page.getByRole('link', { name: 'search for the words instead' }).click();
    await page.locator('.results .group').first().waitFor();
  }));

test('a way from one symbol to another is a ribbon of code', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/search?q=how%20does%20handle%20reach%20price');
    const steps = page.locator('.ribbon > li');
    assert.ok((await steps.count()) >= 3, await page.locator('main').textContent());
    assert.match(await steps.first().textContent(), /handle → checkout.*src\/web\/server\.ts/s);
  }));

test('an empty answer says what to try', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/search?q=zyzzyva%20quux');
    const nothing = page.locator('.nothing');
    assert.match(await nothing.textContent(), /Nothing in the index matches zyzzyva quux/);
    await tab.visit('#/search?q=report&lang=go');
    await page.getByRole('link', { name: 'Ask again without filters' }).click();
    await page.locator('.results .group').first().waitFor();
  }));

test('lines with exactly a text are listed by file, and lead there', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/search?q=price(cents)');
    await page.getByRole('link', { name: 'lines with exactly this text' }).click();
    await page.getByText(/lines? with/).waitFor();
    await settled(page);
    const rows = await page.locator('.results .row.pointed').allTextContents();
    assert.ok(rows.length >= 1);
    for (const row of rows) assert.match(row, /price\(cents\)/i);
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /path=src%2F.*lines=\d/.test(location.hash));
  }));

test('what stands between slashes is a regular expression, and a wrong one is explained', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/');
    await page.keyboard.press('/');
    await page.keyboard.type(String.raw`/export (function|class) [cC]\w+/`);
    await page.keyboard.press('Enter');
    await page.locator('.results .group').first().waitFor();
    const paths = await page.locator('.results .path').allTextContents();
    assert.deepEqual([...paths].sort(), ['src/cart/cart.ts', 'src/cart/checkout.ts']);
    await tab.visit('#/search?q=%2Fcart(%2F');
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').textContent(), /pattern|expression/i);
    tab.faults.length = 0; // The browser reports that it was refused.
  }));

test('an address of a project that is not served leads back to the one that is', () =>
  withTab({}, async (page, tab) => {
    await page.goto(`${shared.site.base}/#/map?project=nowhere`);
    await page.getByText('does not serve nowhere').waitFor();
    await page.getByRole('link', { name: 'To the project that is served' }).click();
    await page.getByRole('heading', { name: 'shop' }).waitFor();
    tab.faults.length = 0; // The browser reports what was refused.
  }));

test('on a narrow screen the filters wait behind a button', () =>
  withTab({ width: 390, height: 844 }, async (page, tab) => {
    await tab.visit('#/search?q=read%20sales%20report');
    assert.ok((await page.locator('.results .group').first().boundingBox()).y < 300);
    const python = page.getByRole('link', { name: 'python', exact: true });
    assert.equal(await python.isVisible(), false);
    await page.getByRole('button', { name: 'Filters' }).click();
    await python.click();
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
  }));
