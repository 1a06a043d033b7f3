// Living: the state of the index while it is made, memory that is changed, calls of agents, the token.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { axeFindings, watchShifts } from './findings.mjs';
import { makeFolders, openTab, run, serve, settled } from './served.mjs';
import { shared, withTab } from './site.mjs';

test('memory is counted, searched, added to, edited and forgotten', () =>
  withTab({}, async (page, tab) => {
    await tab.visit('#/memory');
    assert.match(await page.locator('.choices').textContent(), /all \d+.*rules \d+.*decisions \d+/s);
    await page.getByText('Carts are never shared between visitors').waitFor();
    await page.getByRole('button', { name: 'Record something' }).click();
    await page.getByLabel('In words').fill('Checkout never waits for mail.');
    await page.getByRole('button', { name: 'Save' }).click();
    const card = page.locator('article.card', { hasText: 'Checkout never waits' });
    await card.waitFor();
    await card.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('In words').fill('Checkout never waits for the mail server.');
    await page.getByRole('button', { name: 'Save' }).click();
    const changed = page.locator('article.card', { hasText: 'the mail server' });
    await changed.getByRole('button', { name: 'Forget' }).click();
    await changed.getByRole('button', { name: 'Really forget' }).click();
    await changed.waitFor({ state: 'detached' });
    await tab.visit('#/memory?type=rule');
    assert.equal(await page.getByRole('link', { name: /^rules/ }).getAttribute('aria-current'), 'true');
    await tab.visit('#/memory?q=floats');
    assert.match(await page.locator('.cards').textContent(), /cents/);
  }));

test('what an agent asked, what it got and how long it took is shown', () =>
  withTab({}, async (page, tab) => {
    const { base, token } = shared.site;
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const response = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'search_code',
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search_code', arguments: { query: 'where is a price rounded' }, _meta: meta },
      }),
    });
    assert.equal(response.status, 200);
    await response.text();
    await tab.visit('#/activity');
    const row = page.locator('tr', { hasText: 'where is a price rounded' });
    assert.match(await row.textContent(), /search_code.*\d+ results?.*(?:ms|s)$/);
    assert.match(await page.locator('main').textContent(), /Last runs.*published/s);
    // The address of this project, whatever other projects the server has.
    const line = /claude mcp add --transport http sextant http:\/\/[\d.:]+\/p\/shop\/mcp --header "Authorization: /;
    await page.getByText(line).waitFor();
  }));

test('while the first index is made the page shows how far it is, and then the repository by itself', async () => {
  const folders = makeFolders();
  mkdirSync(join(folders.project, 'copies'), { recursive: true });
  for (let i = 0; i < 4000; i++) {
    const text = `export function part${i}(n: number) {\n  return n + ${i};\n}\n`.repeat(8);
    writeFileSync(join(folders.project, 'copies', `part${i}.ts`), text);
  }
  // The server makes the index by itself, in the background.
  const site = await serve(folders.environment, folders.project, ['--no-index']);
  const tab = await openTab(shared.browser, site);
  try {
    await tab.page.goto(`${site.base}/#/`);
    await tab.page.getByRole('progressbar', { name: 'Indexing' }).waitFor();
    await tab.page.getByText(/of 4,000 files/).waitFor();
    // Whatever is there is shown, then the final results by themselves.
    await tab.page.goto(`${site.base}/#/search?q=part77`);
    await tab.page.locator('.results .group', { hasText: 'copies/part77.ts' }).first().waitFor({ timeout: 60_000 });
    await tab.page.getByText(/results? in /).waitFor({ timeout: 60_000 });
    await tab.page.goto(`${site.base}/#/`);
    await tab.page.locator('.state.good').first().waitFor({ timeout: 60_000 });
    await settled(tab.page);
    await tab.page.locator('svg.map').waitFor();
  } finally {
    await tab.close();
    await site.close();
    folders.remove();
  }
});

test('ranked results come while the index is made, more on request, and the final ones take nothing away', async () => {
  const folders = makeFolders();
  writeHarbours(folders.project);
  const site = await serve(folders.environment, folders.project);
  const parsers = new Parsers(site);
  const [reader, watcher] = [await openTab(shared.browser, site), await openTab(shared.browser, site)];
  const shown = (page) => page.locator('.results .path').allTextContents();
  try {
    await parsers.stopAfter(100);
    for (const { page } of [reader, watcher]) {
      await page.addInitScript(watchShifts);
      await page.goto(`${site.base}/#/search?q=where+is+the+harbour+master&in=harbours`);
      await page.getByText(/So far: [\d,]+ of 1,503 files indexed/).waitFor();
      await page
        .getByText(/matched /)
        .first()
        .waitFor();
      assert.deepEqual(await shown(page), ['harbours/first.ts']);
    }
    const { page } = reader;
    assert.equal(await page.getByText('callers and uses').count(), 0, 'nothing knows the calls yet');
    assert.deepEqual(await axeFindings(page), []);
    // Other questions are refused as ever: a part of the files is no answer to them.
    const headers = { Authorization: `Bearer ${site.token}` };
    const refused = await fetch(`${site.base}/api/search?q=harbour`, { headers });
    assert.equal((await refused.json()).error.code, 'not_indexed');
    parsers.goOn();
    await parsers.stopAfter(1200);
    await page.getByRole('button', { name: '1 new result: show' }).waitFor();
    assert.deepEqual(await shown(page), ['harbours/first.ts'], 'what is read stays');
    await page.getByRole('button', { name: 'new result: show' }).click();
    await page.locator('.results .path', { hasText: 'harbours/second.ts' }).waitFor();
    await page.locator('.results .title').first().hover();
    parsers.goOn();
    // Where nobody reads, the final results come by themselves; under the pointer they wait to be asked for.
    await watcher.page.getByText(/results? in /).waitFor();
    assert.equal((await shown(watcher.page)).length, 3);
    await page.getByRole('button', { name: 'Show the final results' }).click();
    await page.getByText(/results? in /).waitFor();
    assert.deepEqual(await shown(page), await shown(watcher.page));
    for (const { page: each, faults } of [reader, watcher]) {
      const { shift, moved } = await each.evaluate(() => window.shifts);
      assert.ok(shift < 0.01, `moved by ${shift}: ${moved.join('; ')}`);
      // Asked before the page knew that there is no index: the browser reports the refusal.
      assert.deepEqual(
        faults.filter((fault) => !/status of 409/.test(fault)),
        [],
      );
    }
  } finally {
    parsers.goOn();
    for (const tab of [reader, watcher]) await tab.close();
    await site.close();
    folders.remove();
  }
});

/**
 * Three files that a question finds among many: one is read first, one before the server looks at the files for the
 * second time (run-preview.ts), one last.
 */
function writeHarbours(project) {
  for (const folder of ['sea', 'harbours']) mkdirSync(join(project, folder), { recursive: true });
  const text = (name, i, lines) =>
    `export function ${name}${i}(n: number) {\n${`  n += ${i};\n`.repeat(lines)}  return n;\n}\n`;
  for (let i = 0; i < 1500; i++)
    writeFileSync(join(project, 'sea', `part${i}.ts`), text('part', i + 10_000, 10 + (i < 560 ? 10 : 0)));
  for (const [i, name] of ['first', 'second', 'third'].entries()) {
    const comment = '/** The harbour master says where a ship lies. */\n';
    writeFileSync(join(project, 'harbours', `${name}.ts`), comment + text('harbourMaster', i, [60, 17, 1][i]));
  }
}

/** The processes that read files for a server: while they stand still, so does the index. */
class Parsers {
  #site;
  #stopped = [];

  constructor(site) {
    this.#site = site;
  }

  /** As soon as so many files have been read. */
  async stopAfter(files) {
    const headers = { Authorization: `Bearer ${this.#site.token}` };
    for (;;) {
      const { progress } = await (await fetch(`${this.#site.base}/api/status`, { headers })).json();
      if (progress?.phase === 'parse' && progress.done >= files) break;
    }
    const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const pairs = list
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number));
    this.#stopped = pairs.filter(([, parent]) => parent === this.#site.pid).map(([pid]) => pid);
    for (const pid of this.#stopped) process.kill(pid, 'SIGSTOP');
  }

  goOn() {
    for (const pid of this.#stopped.splice(0)) process.kill(pid, 'SIGCONT');
  }
}

test('a workspace is chosen like a project, and its repositories are read as one', async () => {
  const folders = makeFolders();
  const [shop, bank] = ['shop', 'bank'].map((name) => join(folders.folder, name));
  for (const folder of [shop, bank]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(shop, 'cart.ts'), 'export function payCart(cents: number) {\n  return cents;\n}\n');
  writeFileSync(join(bank, 'transfer.py'), 'def transfer_money(cents):\n    return cents\n');
  for (const folder of [shop, bank]) run(folders.environment, ['index', '--path', folder]);
  run(folders.environment, ['workspace', 'create', 'town', shop, bank]);
  const site = await serve(folders.environment, shop);
  const tab = await openTab(shared.browser, site);
  try {
    const { page } = tab;
    await tab.visit('#/');
    await page.getByLabel('Project or workspace').selectOption('workspace:town');
    await page.getByRole('heading', { name: 'town' }).waitFor();
    await settled(page);
    await tab.visit('#/search?q=transfer+money&project=workspace:town');
    await page.locator('.results .group', { hasText: 'bank/transfer.py' }).first().waitFor();
    await page.locator('.results a', { hasText: 'transfer_money' }).first().click();
    await page.getByRole('heading', { name: 'bank/transfer.py' }).waitFor({ state: 'attached' });
    await tab.visit('#/folder?project=workspace:town');
    assert.match(await page.locator('main').textContent(), /bank.*shop/s);
    await tab.visit('#/impact?project=workspace:town&target=bank/transfer.py:1');
    await page.getByRole('link', { name: 'bank' }).click();
    await page.waitForFunction(() => /target=transfer.py/.test(decodeURIComponent(location.hash)));
    await settled(page);
    assert.deepEqual(tab.faults, []);
  } finally {
    await tab.close();
    await site.close();
    folders.remove();
  }
});

test('without the token the page asks for it, and shows nothing until it is right', async () => {
  const context = await shared.browser.newContext();
  const page = await context.newPage();
  try {
    await page.goto(`${shared.site.base}/#/`);
    await page.getByLabel('Token').first().fill('wrong-wrong-wrong-wrong');
    await page.getByRole('button', { name: 'Use this token' }).click();
    await page.getByText('does not know this token').waitFor();
    await page.getByLabel('Token').fill(shared.site.token);
    await page.getByRole('button', { name: 'Use this token' }).click();
    await page.getByRole('heading', { name: 'shop' }).waitFor();
    // The address that the server prints carries it, once.
    const other = await shared.browser.newContext();
    const fresh = await other.newPage();
    await fresh.goto(`${shared.site.base}/#token=${shared.site.token}`);
    await fresh.getByRole('heading', { name: 'shop' }).waitFor();
    assert.equal(await fresh.evaluate(() => location.hash), '#/');
    await other.close();
  } finally {
    await context.close();
  }
});
