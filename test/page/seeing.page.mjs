// Seeing: the call graph, the map, the overview; each with its words, each as a file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settled } from './served.mjs';
import { withTab } from './site.mjs';

const labels = (page) => page.locator('svg.graph .node').evaluateAll((nodes) => nodes.map((node) => node.dataset.name));

test('the call graph shows callers and callees, grows by a click or a key, and says the same in words', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/symbol?name=checkout');
    await page.locator('svg.graph').waitFor();
    const before = await labels(page);
    for (const name of ['checkout', 'handle', 'formatPrice', 'discounted'])
      assert.ok(before.includes(name), before.join());
    assert.ok(!before.includes('main'));
    await page.locator('svg.graph .node[data-name="handle"]').click();
    await page.locator('svg.graph .node[data-name="main"]').waitFor();
    await page.locator('svg.graph .node[data-name="formatPrice"]').focus();
    await page.keyboard.press('Enter');
    await page.locator('svg.graph .node[data-name="price"]').waitFor();
    await page.getByText('The same in words').click();
    assert.match(await page.locator('.as-text').textContent(), /main calls handle at src\/web\/main\.ts:4/);
    await page.getByRole('link', { name: 'In the middle' }).click();
    await page.waitForFunction(() => document.querySelector('.symbol-name')?.textContent.includes('formatPrice'));
  }));

test('a picture is saved as SVG, with the colours that are shown and without variables', () =>
  withTab({ scheme: 'dark' }, async (page, tab) => {
    await tab.visit('#/symbol?name=checkout');
    await page.locator('svg.graph').waitFor();
    const shown = await page.locator('svg.graph .node').count();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save SVG' }).click();
    const saved = await download;
    assert.equal(saved.suggestedFilename(), 'calls-checkout.svg');
    const text = readFileSync(await saved.path(), 'utf8');
    assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.doesNotMatch(text, /var\(|tabindex|<script/);
    assert.match(text, /rgb\(/);
    assert.equal(text.match(/<g class="node"/g).length, shown);
  }));

test('the map shows modules by lines and dependencies, a module tells its own, and colours can mean change', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/map');
    const names = await page.locator('svg.map .module').evaluateAll((nodes) => nodes.map((node) => node.dataset.name));
    for (const name of ['cart', 'money', 'web']) assert.ok(names.includes(name), names.join());
    await page.locator('svg.map .module[data-name="cart"]').focus();
    await page.keyboard.press('Enter');
    const facts = page.locator('.module-facts');
    assert.match(await facts.textContent(), /cart · 3 files.*Depends on money.*Used by web/s);
    await page.getByLabel('Coloured by').selectOption('change');
    await facts.getByRole('link', { name: /^money/ }).click();
    await page.waitForFunction(() => location.hash.includes('#/file'));
  }));

test('the overview says what the repository is and where to begin', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/');
    const text = await page.locator('main').textContent();
    assert.match(text, /shop/);
    assert.match(text, /Entry points.*src\/web\/main\.ts/s);
    assert.match(text, /Central files/);
    assert.match(text, /typescript \d+ %/);
    assert.match(
      await page.locator('.growth svg').getAttribute('aria-label'),
      /2 commits from 2024-03-01 to 2024-05-\d\d/,
    );
    assert.match(text, /Decisions and rules.*cents/s);
  }));

test('the impact of a diff or a symbol: what it touches, who uses it, which tests to run', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/impact?diff=HEAD%5E!');
    const text = await page.locator('main').textContent();
    assert.match(text, /Touches.*src\/money\/price\.ts.*modified.*price/s);
    assert.match(text, /Tests to run.*test\/cart\.test\.ts/s);
    assert.match(text, /Used by.*uses price/s);
    assert.ok((await labels(page)).includes('price'));
    await page.getByLabel('A symbol, a file with lines, or commits').fill('formatPrice');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('target=formatPrice'));
    await page.locator('svg.graph .node[data-name="checkout"]').waitFor();
    await page.locator('svg.graph .node[data-name="checkout"]').click();
    await page.locator('figcaption a', { hasText: 'src/cart/checkout.ts:8' }).click();
    await page.waitForFunction(() => location.hash.includes('checkout.ts'));
    await settled(page);
    await page.keyboard.press('i');
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes('target=src/cart/checkout.ts:8'));
    await tab.visit('#/impact');
    await page.getByText('Nothing differs').waitFor();
    await page.getByRole('link', { name: 'Last commit', exact: true }).click();
    await page.getByText('Tests to run').waitFor();
  }));

test('a symbol has its source, uses, callees and tests', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/symbol?name=checkout');
    await settled(page);
    const text = await page.locator('main').textContent();
    assert.match(text, /Ends a purchase and says what it costs/);
    assert.match(text, /Used by.*src\/web\/server\.ts/s);
    assert.match(text, /Calls.*formatPrice/s);
    assert.match(text, /Tests.*testCheckout/s);
  }));
