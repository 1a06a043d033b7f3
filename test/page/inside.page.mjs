// Inside a client: results and calls as views (MCP Apps). The test is the client; AppBridge is other people's code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { shared } from './site.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { build } = createRequire(join(here, '../../package.json'))('esbuild');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const VIEW_TYPE = 'text/html;profile=mcp-app';
/** What the extension says that a client sets for a page that names no address. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
].join('; ');

async function connect(extensions) {
  const client = new Client({ name: 'test-host', version: '1.0.0' }, { capabilities: { extensions } });
  const { base, token } = shared.site;
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit }));
  return client;
}

/** A client that shows the view of a tool's answer; `use` gets the frame and what the page told. */
async function inClient(name, args, use, theme = 'light') {
  const client = await connect({ 'io.modelcontextprotocol/ui': { mimeTypes: [VIEW_TYPE] } });
  const context = await shared.browser.newContext({ viewport: { width: 800, height: 950 }, colorScheme: theme });
  context.setDefaultTimeout(15_000);
  try {
    const tool = (await client.listTools()).tools.find((each) => each.name === name);
    const { contents } = await client.readResource({ uri: tool._meta.ui.resourceUri });
    assert.equal(contents[0].mimeType, VIEW_TYPE);
    const html = contents[0].text.replace(
      '<head>',
      `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    );
    const page = await context.newPage();
    const faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (request) => faults.push(`request elsewhere: ${request.url()}`));
    const calls = [];
    await page.exposeFunction('callTool', (called, given) => {
      calls.push([called, given]);
      return client.callTool({ name: called, arguments: given });
    });
    await page.addScriptTag({ content: await hostScript() });
    const result = await client.callTool({ name, arguments: args });
    await page.evaluate((shown) => window.showView(shown), { html, tool, args, result, theme });
    await use(page.frameLocator('iframe'), page, calls);
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
    await client.close();
  }
}

let bundled;
function hostScript() {
  bundled ??= build({
    entryPoints: [join(here, 'host-page.mjs')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'error',
  }).then(({ outputFiles }) => outputFiles[0].text);
  return bundled;
}

async function violations(page) {
  const frame = page.frames().find((each) => each.parentFrame() !== null);
  await frame.evaluate(axe);
  return frame.evaluate(async () => (await window.axe.run(document)).violations.map(({ id, help }) => `${id} ${help}`));
}

test('inside a client, results are a list that narrows and leads to code, calls and the conversation', () =>
  inClient('search_code', { query: 'price in cents', limit: 8 }, async (view, page, calls) => {
    await view.locator('.results .group').first().waitFor();
    assert.match(await view.locator('.result').first().textContent(), /(?:strong|good|weak) match/);
    assert.ok((await view.locator('mark').count()) > 0);
    assert.deepEqual(await violations(page), []);
    await view.getByLabel('Only paths and names with').fill('money');
    for (const path of await view.locator('.results .path').allTextContents()) assert.match(path, /money/);
    await view.locator('.result .title').first().click();
    await view.getByRole('button', { name: 'Point the assistant here' }).waitFor();
    assert.equal(calls.at(-1)[0], 'read_file');
    await view.getByRole('button', { name: 'Point the assistant here' }).click();
    await page.waitForFunction(() => window.told.messages.length === 1);
    assert.match(await page.evaluate(() => window.told.messages[0][0].text), /^Look at src\/money\//);
    await view.getByRole('button', { name: 'Back' }).click();
    await view.locator('.results .group').first().waitFor();
    assert.ok(await page.evaluate(() => window.told.sizes.some(({ height }) => height > 100)));
    await page.evaluate(() => window.teardown());
  }));

test('inside a client, a symbol is a call graph that grows by clicks', () =>
  inClient(
    'locate_symbol',
    { name: 'checkout', detail: true },
    async (view, page) => {
      const node = (name) => view.locator(`svg.graph .node[data-name$="${name}"]`);
      await node('checkout').first().waitFor();
      await node('handle').click();
      await node('main').waitFor();
      assert.deepEqual(await violations(page), []);
      await view.getByText('The same in words').click();
      assert.match(await view.locator('.as-text').textContent(), /handle calls .*checkout at src\/web\/server\.ts:/);
    },
    'dark',
  ));

test('inside a client, research asks for its picture and leads on', () =>
  inClient('code_research', { query: 'what calls formatPrice' }, async (view, page, calls) => {
    await view.locator('svg.graph .node').first().waitFor();
    assert.equal(calls[0][1].graph, true);
    assert.match(await view.locator('.sentences').textContent(), /checkout calls formatPrice/);
    assert.deepEqual(await violations(page), []);
    await view.locator('.sentences a', { hasText: 'checkout.ts:8' }).first().click();
    await view.getByRole('heading', { name: /checkout\.ts/ }).waitFor();
  }));

test('clients that show no views hear nothing of them', async () => {
  for (const extensions of [{}, { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/plain'] } }]) {
    const client = await connect(extensions);
    const { tools } = await client.listTools();
    assert.ok(tools.length > 5);
    assert.ok(tools.every(({ _meta }) => _meta?.ui === undefined));
    await client.close();
  }
});
