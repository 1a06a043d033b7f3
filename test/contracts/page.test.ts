/** The web page over HTTP: how it travels, who gets it, and its own client code against a real server. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type HttpHandle, type ServeHttpOptions, serveHttp } from '../../src/transports/index.ts';
import { loadPage } from '../../src/web/index.ts';
import { sandbox } from './real-engine.ts';

const file = fileURLToPath(new URL('../../dist/page.html', import.meta.url));
const TOKEN = 'a-secret-of-some-length';
const box = sandbox(/^(?:web|README)/);
let open: HttpHandle;
let guarded: HttpHandle;

before(async () => {
  box.write('shop/.env', 'TOKEN=1\n');
  box.write('shop/web/long.ts', '// a line of a long file\n'.repeat(20_000));
  box.write('shop/web/separated.md', '# Ends of lines\n\nOne\u2028data: {"not": "a message"}\u2028two\n');
  await box.engine.index(box.project);
  await box.engine.remember(box.project, { type: 'rule', content: 'Prices are in <b>cents</b>', origin: 'person' });
  writeFileSync(join(box.folder, 'token'), TOKEN, { mode: 0o600 });
  const page = await loadPage(file);
  const serve = (tokenFile: ServeHttpOptions['tokenFile']) =>
    serveHttp({
      engine: box.engine,
      profiles: ['sextant'],
      workspace: box.project,
      host: '127.0.0.1',
      port: 0,
      version: '9.9.9',
      log: () => {},
      tokenFile,
      page,
    });
  open = await serve(null);
  guarded = await serve({ path: join(box.folder, 'token'), create: false });
});
after(async () => {
  await open.close();
  await guarded.close();
  await box.close();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('one file, no other address in it, and a policy that admits only its own script and style', async () => {
  const { status, headers, text } = await get(`${open.url}/`);
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/html/);
  const outside = [...text.matchAll(/(?:https?:)?\/\/[\w-]+\.[\w.-]+/g)].map(([address]) => address);
  assert.deepEqual([...new Set(outside)], ['http://www.w3.org'], 'the name space of SVG, which nobody fetches');
  const loaded = [...text.matchAll(/<(?:script|link|img|iframe)\b[^>]*?(?:src|href)="([^"]*)"/g)].map(([, to]) => to!);
  assert.deepEqual(
    loaded.filter((address) => !address.startsWith('data:')),
    [],
  );
  assert.doesNotMatch(text, /\son\w+=["']/);
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; /);
  assert.doesNotMatch(policy, /unsafe|\*/);
  for (const tag of ['script', 'style']) {
    const [, inner] = new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(text)!;
    assert.ok(inner!.length > 1000, `${tag} is missing`);
    const digest = createHash('sha256').update(inner!).digest('base64');
    assert.ok(policy.includes(`${tag}-src 'sha256-${digest}'`), `${policy}\n${tag} ${digest}`);
  }
  for (const directive of ["connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"])
    assert.ok(policy.includes(directive), directive);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
});

test('GET and HEAD of / only, for those who may call', async () => {
  const head = await get(`${open.url}/?x=1`, {}, 'HEAD');
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal((await get(`${open.url}/`, {}, 'POST')).status, 404);
  assert.equal((await get(`${open.url}/page.html`)).status, 404);
  assert.equal((await get(`${open.url}/../package.json`)).status, 404);
  assert.equal((await get(`${open.url}/`, { host: 'evil.example' })).status, 403);
  assert.equal((await get(`${open.url}/`, { origin: 'http://evil.example' })).status, 403);
});

test('with a token, the page without it is a refusal that holds nothing of the project', async () => {
  const refused = await get(`${guarded.url}/`);
  assert.equal(refused.status, 401);
  assert.equal(refused.headers['www-authenticate'], 'Bearer');
  assert.equal(refused.text, readFileSync(file, 'utf8'));
  assert.equal((await get(`${guarded.url}/`, { authorization: 'Bearer wrong-wrong-wrong-wrong' })).status, 401);
  assert.equal((await get(`${guarded.url}/`, { authorization: `Bearer ${TOKEN}` })).status, 200);
  assert.equal((await get(`${guarded.url}/`, { host: 'evil.example', authorization: `Bearer ${TOKEN}` })).status, 403);
  for (const path of ['/mcp', '/metrics', '/nothing']) {
    const other = await get(guarded.url + path);
    assert.equal(other.status, 401, path);
    assert.doesNotMatch(other.text, /<html/, path);
  }
});

interface PageClient {
  callTool(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  readResource(uri: string): Promise<Record<string, unknown>>;
  setToken(token: string): void;
  takeToken(): boolean;
}

type ReadPart = (
  path: string,
  target: { first: number; last: number },
  signal: AbortSignal,
) => Promise<Record<string, unknown>>;

/** The module that the browser runs, with this server as its origin. */
async function pageClient(origin: string): Promise<PageClient> {
  const kept = new Map<string, string>();
  const own = globalThis as unknown as Record<string, unknown>;
  const network = globalThis.fetch;
  own.sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  };
  own.fetch = (path: string, init: RequestInit) =>
    network(new URL(path, origin), { ...init, headers: { ...init.headers, Origin: origin } });
  const module = new URL('../../src/web/page/mcp.ts', import.meta.url).href;
  return (await import(`${module}?${encodeURIComponent(origin)}`)) as PageClient;
}

test('its client asks for status, results, outlines, symbols, memory and what was left out', async () => {
  const network = globalThis.fetch;
  try {
    const page = await pageClient(open.url);
    const status = await page.callTool('get_status', {});
    assert.deepEqual([status.state, status.freshness, status.root], ['ready', 'fresh', box.project]);
    assert.ok((status.languages as Record<string, number>).typescript === 3, JSON.stringify(status));
    const { results } = await page.callTool('search_code', {
      query: 'price of an item',
      limit: 20,
      max_tokens: 12_000,
    });
    assert.equal((results as { path: string }[])[0]!.path, 'web/price.ts');
    const { outline } = await page.callTool('read_file', { path: 'web/cart.ts', outline: true });
    assert.deepEqual((outline as { name: string }[])[0]!.name, 'cartTotal');
    const { detail } = await page.callTool('locate_symbol', { name: 'price', detail: true });
    assert.match(JSON.stringify((detail as { callers: unknown }).callers), /web\/cart\.ts/);
    const { discoveries } = await page.readResource('sextant://memory');
    assert.ok(JSON.stringify(discoveries).includes('Prices are in <b>cents</b>'), JSON.stringify(discoveries));
    const { files } = await page.readResource('sextant://skipped');
    assert.deepEqual(files, [{ path: '.env', reason: 'secret', detail: 'environment file' }]);
    const separated = await page.callTool('read_file', { path: 'web/separated.md' });
    assert.match(String(separated.content), /One\u2028data: \{"not": "a message"\}\u2028two/);
    await assert.rejects(page.callTool('read_file', { path: 'nö/such.ts' }), {
      code: 'file_not_found',
      fix: /search_code/,
    });
    await assert.rejects(page.readResource('sextant://file/nö such.ts'), /nö such\.ts/);
  } finally {
    globalThis.fetch = network;
  }
});

test('a place deep in a long file is shown with what stands around it, one near the top with the file', async () => {
  const network = globalThis.fetch;
  try {
    await pageClient(open.url);
    const module = new URL('../../src/web/page/file-view.ts', import.meta.url).href;
    const { readPart } = (await import(module)) as { readPart: ReadPart };
    const lines = async (first: number) => {
      const { signal } = new AbortController();
      const [from, to] = String((await readPart('web/long.ts', { first, last: first }, signal)).lines).split('-');
      return { from: Number(from), to: Number(to) };
    };
    assert.equal((await lines(50)).from, 1);
    const deep = await lines(19_000);
    assert.ok(deep.from > 18_000 && deep.from < 19_000 && deep.to >= 19_000, JSON.stringify(deep));
    assert.equal((await lines(30_000)).from, 1, 'no such line: the file');
  } finally {
    globalThis.fetch = network;
  }
});

test('its client takes the token out of the address that the server prints', async () => {
  const own = globalThis as unknown as Record<string, unknown>;
  const network = globalThis.fetch;
  const visited: string[] = [];
  own.location = { hash: `#token=${TOKEN}`, pathname: '/' };
  own.history = { replaceState: (_state: unknown, _title: string, url: string) => visited.push(url) };
  try {
    const page = await pageClient(`${guarded.url}/?fragment`);
    assert.equal(page.takeToken(), true);
    assert.deepEqual(visited, ['/#/'], 'the address bar no longer has it');
    assert.equal((await page.callTool('get_status', {})).state, 'ready');
    own.location = { hash: '#/search?q=token=1', pathname: '/' };
    assert.equal(page.takeToken(), false);
  } finally {
    globalThis.fetch = network;
    delete own.location;
    delete own.history;
  }
});

test('its client hands over the token that a person gave', async () => {
  const network = globalThis.fetch;
  try {
    const page = await pageClient(guarded.url);
    await assert.rejects(page.callTool('get_status', {}), { code: 'unauthorized' });
    for (const wrong of ['another-secret-of-some-length', 'tökén→', 'two words']) {
      page.setToken(wrong);
      await assert.rejects(page.callTool('get_status', {}), { code: 'unauthorized', message: /does not know/ }, wrong);
    }
    page.setToken(TOKEN);
    assert.equal((await page.callTool('get_status', {})).state, 'ready');
  } finally {
    globalThis.fetch = network;
  }
});
