// Reading: tree, source, outline, identifiers, why, links, raw; with the mouse and without.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from './served.mjs';
import { shared, withTab } from './site.mjs';

const CART = '#/file?path=src%2Fcart%2Fcart.ts';
const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash));
const focused = (page) => page.evaluate(() => document.activeElement?.textContent);

test('a file is shown with its tree, breadcrumb, colours, outline and what imports it', () =>
  withTab({}, async (page, tab) => {
    await tab.visit(CART);
    assert.equal(await page.title(), 'src/cart/cart.ts · shop');
    assert.equal(await page.locator('.tree [aria-current]').textContent(), 'cart.ts');
    assert.match(await page.locator('.breadcrumb').textContent(), /root.*src.*cart.*cart\.ts/);
    assert.equal(await page.locator('#L9 .t-keyword').first().textContent(), 'export');
    assert.deepEqual(await page.locator('.outline .name').allTextContents(), [
      'Item',
      'name',
      'cents',
      'Cart',
      '#items',
      'add',
      'total',
    ]);
    const about = await page.locator('.side.about').textContent();
    assert.match(about, /Imports 1src\/money\/price\.ts/);
    assert.match(about, /Imported by 4/);
    assert.match(await page.locator('.facts').textContent(), /typescript · 19 lines .* changed 3 months ago/);
  }));

test('the tree opens folders by click and by keys', () =>
  withTab({}, async (page, tab) => {
    await tab.visit(CART);
    const names = () => page.locator('.tree .name').allTextContents();
    assert.ok(!(await names()).includes('report.py'));
    await page.getByRole('treeitem', { name: 'tools' }).click();
    await page.getByRole('treeitem', { name: 'report.py' }).waitFor();
    await page.keyboard.press('t');
    assert.equal(await focused(page), 'cart.ts');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(page), 'checkout.ts');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await focused(page), 'cart');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-expanded') === 'false');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(page), 'money');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: 'price.ts' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('format.ts'));
  }));

test('an identifier shows what it means, leads to its definition, and there to its uses', () =>
  withTab({}, async (page, tab) => {
    await tab.visit(CART);
    const price = page.locator('#L13 span.id', { hasText: /^price$/ });
    await price.hover();
    const card = page.getByRole('tooltip');
    await card.waitFor();
    assert.match(
      await card.textContent(),
      /function price\(cents: number\): number.*never above the limit.*src\/money\/price\.ts:4/s,
    );
    await price.click();
    await page.waitForFunction(() => location.hash.includes('price.ts'));
    await settled(page);
    assert.match(await hash(page), /path=src\/money\/price\.ts&lines=4/);
    assert.equal(await page.locator('.row.pointed').count(), 1);
    await page.locator('#L4 span.id', { hasText: /^price$/ }).click();
    const drawer = page.getByRole('region', { name: 'Uses of price' });
    await drawer.waitFor();
    await drawer.getByText('src/cart/cart.ts').waitFor();
    assert.match(await drawer.textContent(), /src\/money\/format\.ts/);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  }));

test('lines are read, followed and explained by keys alone', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/file?path=src%2Fmoney%2Fprice.ts&lines=4');
    const line = async () => /lines=(\d+)/.exec(await hash(page))?.[1];
    await page.keyboard.press('j');
    assert.equal(await line(), '5');
    await page.keyboard.press('k');
    await page.keyboard.press('J');
    assert.equal(await line(), '9');
    await page.keyboard.press('K');
    assert.equal(await line(), '4');
    await page.keyboard.press('j');
    await page.keyboard.press('l');
    assert.equal(await focused(page), 'LIMIT');
    await page.getByRole('tooltip').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('limits.ts'));
    await page.goBack();
    await settled(page);
    await page.keyboard.press('w');
    const why = page.getByRole('region', { name: /^Why/ });
    await why.getByText('Open the shop').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('u');
    await page.getByRole('region', { name: 'Uses of price' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('o');
    assert.match(await focused(page), /price/);
    await page.keyboard.press('c');
    await page.waitForFunction(() => location.hash.startsWith('#/symbol'));
  }));

test('why shows the commits that wrote the chosen lines', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/file?path=src%2Fmoney%2Fprice.ts&lines=3-5');
    await page.getByRole('button', { name: 'Why' }).click();
    const why = page.getByRole('region', { name: 'Why, 3-5' });
    await why.getByText('because a typing error sold a cup').waitFor();
    assert.match(await why.textContent(), /Ada, 12 days ago · 1 line.*Ada, 3 months ago · 2 lines/s);
  }));

test('a panel below the code leaves the line that it is about in sight', async () => {
  for (const size of [{}, { width: 390, height: 844 }])
    await withTab(size, async (page) => {
      await page.goto(`${shared.site.base}/#/file?path=src%2Flong.ts&lines=1500`);
      await page.locator('#L1500').waitFor();
      await page.keyboard.press('u');
      const panel = page.getByRole('region', { name: 'Uses of value1499' });
      await panel.getByText('Nothing in the index uses it').waitFor();
      const [row, drawer] = [await page.locator('#L1500').boundingBox(), await panel.boundingBox()];
      assert.ok(row.y > 90 && row.y + row.height <= drawer.y, `line at ${row.y}, panel at ${drawer.y}`);
    });
});

test('a range of lines is chosen by their numbers, and a link to it is copied', () =>
  withTab({}, async (page, tab) => {
    await tab.visit(CART);
    await page.locator('#L3 .line-number').click();
    await page.locator('#L6 .line-number').click({ modifiers: ['Shift'] });
    await page.waitForFunction(() => document.querySelectorAll('.row.pointed').length === 4);
    assert.match(await hash(page), /lines=3-6/);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${shared.site.base}/${CART}&lines=3-6`);
  }));

test('the editor and the raw file are one key away', () =>
  withTab({}, async (page, tab) => {
    await tab.visit(`${CART}&lines=13`);
    const link = page.locator('a.editor');
    assert.equal(await link.getAttribute('href'), `vscode://file${shared.folders.project}/src/cart/cart.ts:13`);
    await page.getByLabel('Editor').selectOption('IntelliJ');
    assert.match(await link.getAttribute('href'), /^idea:\/\/open\?file=.*cart\.ts&line=13$/);
    const raw = page.context().waitForEvent('page');
    await page.getByRole('heading', { level: 1 }).evaluate(() => document.body.focus());
    await page.keyboard.press('r');
    assert.match((await raw).url(), /^blob:/);
  }));

test('a long file is there as a whole, coloured where it is seen, and its outline follows', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/file?path=src%2Flong.ts&lines=2500');
    const row = page.locator('#L2500');
    await row.waitFor();
    const box = await row.boundingBox();
    assert.ok(box.y > 90 && box.y < 780, `line 2500 is at ${box.y}`);
    assert.ok((await page.locator('.block.far').count()) > 10);
    assert.match(await page.locator('.block.far').first().textContent(), /value\d+/);
    await page.waitForFunction(() =>
      /value24\d\d|value25\d\d/.test(document.querySelector('.outline [aria-current]')?.textContent ?? ''),
    );
  }));

test('a folder lists what lies in it, with its README', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/folder');
    assert.deepEqual(await page.locator('.listing tbody a').allTextContents(), [
      'docs/',
      'src/',
      'test/',
      'tools/',
      'package.json',
      'README.md',
    ]);
    await page.getByText('Prices are kept in cents.').waitFor();
    await page.locator('.listing').getByText('src/').click();
    await page.waitForFunction(() => location.hash.includes('path=src'));
  }));

test('another ref is read as it was', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/');
    await page.getByLabel('Branch, tag or commit').selectOption('v1');
    await page.waitForFunction(() => location.hash.includes('ref=v1'));
    await tab.visit('#/file?path=src%2Fmoney%2Fprice.ts&ref=v1');
    assert.match(await page.locator('#L3').textContent(), /never negative\. \*\//);
    await page.locator('#L1 span.id', { hasText: /^LIMIT$/ }).click();
    await page.waitForFunction(() => location.hash.includes('limits.ts') && location.hash.includes('ref=v1'));
  }));

test('the page says what it cannot show, and what to do', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/file?path=src%2Fnone.ts');
    const problem = page.getByRole('alert');
    await problem.waitFor();
    assert.match(await problem.textContent(), /No such file in the project: src\/none\.ts.*moved or removed/s);
    await tab.visit('#/file?path=src%2Fcart%2Fcart.ts&ref=gone').catch(() => {});
    await page.getByRole('link', { name: 'To the work tree' }).first().click();
    await page.waitForFunction(() => !location.hash.includes('ref='));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    tab.faults.length = 0; // The browser reports the refusal, too.
  }));

test('an address whose file was moved leads to files of the same name', () =>
  withTab({ width: 390, height: 844 }, async (page, tab) => {
    await tab.visit('#/file?path=old%2Fplace%2Fprice.ts');
    tab.faults.length = 0;
    await page.getByRole('link', { name: 'Search for price.ts' }).waitFor();
    await page.getByRole('button', { name: 'Files' }).click();
    assert.ok(await page.locator('.side.files').isVisible());
    await page.mouse.click(380, 400);
    assert.ok(!(await page.locator('.side.files').isVisible()), 'a click beside the tree closes it');
    await page.getByRole('link', { name: 'src/money/price.ts' }).click();
    await page.waitForFunction(() => location.hash.includes('src%2Fmoney%2Fprice.ts'));
  }));

test('the outline of a document is its headings, which lead to their places in the source and in the document', () =>
  withTab({ height: 300 }, async (page, tab) => {
    await tab.visit('#/file?path=README.md');
    const outline = page.locator('.outline');
    assert.deepEqual(await outline.locator('.name').allTextContents(), ['Shop', 'Start']);
    await outline.getByText('Start').click();
    await page.waitForFunction(() => location.hash.includes('lines=5'));
    assert.match(await page.locator('.row.pointed').textContent(), /## Start/);
    await page.getByRole('link', { name: 'As a document' }).click();
    await page.getByRole('heading', { name: 'Start' }).waitFor();
    await outline.getByText('Start').click();
    await page.waitForFunction(() => location.hash.includes('as=document') && location.hash.includes('lines=5'));
    await page.waitForFunction(() => document.querySelector('.outline [aria-current]')?.textContent === 'Start');
  }));

test('on a narrow screen a long name breaks and the page stays as wide as the screen', () =>
  withTab({ width: 390, height: 844 }, async (page, tab) => {
    await tab.visit('#/folder?path=src');
    await page
      .locator('.listing tbody a')
      .first()
      .evaluate((link) => {
        link.textContent = 'default_validator_benchmark_of_everything_there_is_test.go';
      });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }));
