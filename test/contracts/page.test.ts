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
  box.write('shop/web/hidden.md', '# Hidden\n\nThe direction of a hidden\u202eword\u202c changes.\n');
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

test('a page request without the token is refused and shows nothing of the project', async () => {
  const refused = await get(`${guarded.url}/`);
  assert.equal(refused.status, 401);
  assert.equal(refused.headers['www-authenticate'], 'Bearer');
  assert.equal(refused.text, readFileSync(file, 'utf8'));
  assert.equal((await get(`${guarded.url}/`, { authorization: 'Bearer wrong-wrong-wrong-wrong' })).status, 401);
  assert.equal((await get(`${guarded.url}/`, { authorization: `Bearer ${TOKEN}` })).status, 200);
  assert.equal((await get(`${guarded.url}/`, { host: 'evil.example', authorization: `Bearer ${TOKEN}` })).status, 403);
  for (const path of ['/mcp', '/metrics', '/nothing', '/api/status', '/api/file?path=README.md']) {
    const other = await get(guarded.url + path);
    assert.equal(other.status, 401, path);
    assert.doesNotMatch(other.text, /<html/, path);
  }
});

interface PageClient {
  ask(name: string, parameters?: Record<string, string>): Promise<Record<string, unknown>>;
  change(name: string, sent: Record<string, unknown>): Promise<Record<string, unknown>>;
  setToken(token: string): void;
  takeToken(): boolean;
}

/** The modules that the browser runs, with this server as their origin. */
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
  // `as string`: the type checker does not follow these addresses, since the page has types of its own.
  const { ask, change } = (await import('../../src/web/page/data/api.ts' as string)) as PageClient;
  const { setToken, takeToken } = (await import('../../src/web/page/data/token.ts' as string)) as PageClient;
  return { ask, change, setToken, takeToken };
}

async function withClient(origin: string, use: (page: PageClient) => Promise<void>): Promise<void> {
  const network = globalThis.fetch;
  try {
    await use(await pageClient(origin));
  } finally {
    globalThis.fetch = network;
  }
}

test('its client asks for status, files, results, symbols, the map, memory and what was left out', () =>
  withClient(open.url, async (page) => {
    const status = await page.ask('status');
    assert.deepEqual([status.indexing, status.freshness], ['ready', 'fresh']);
    const entries = (await page.ask('folder', { path: 'web' })) as unknown as { name: string }[];
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['cart.ts', 'hidden.md', 'long.ts', 'price.ts', 'separated.md'],
    );
    const { hits } = await page.ask('search', { q: 'price of an item' });
    assert.equal((hits as { path: string }[])[0]!.path, 'web/price.ts');
    const file = await page.ask('file', { path: 'web/cart.ts' });
    assert.equal((file.outline as { name: string }[])[0]!.name, 'cartTotal');
    const { symbol, callers } = await page.ask('symbol', { name: 'price' });
    assert.equal((symbol as { path: string }).path, 'web/price.ts');
    assert.match(JSON.stringify(callers), /web\/cart\.ts/);
    const { modules } = await page.ask('map');
    assert.ok((modules as unknown[]).length > 0);
    const { discoveries, counts } = await page.ask('memory');
    assert.ok(JSON.stringify(discoveries).includes('Prices are in <b>cents</b>'), JSON.stringify(discoveries));
    assert.equal((counts as { rule: number }).rule, 1);
    const { files } = await page.ask('skipped');
    assert.deepEqual(files, [{ path: '.env', reason: 'secret', detail: 'environment file' }]);
    const separated = await page.ask('file', { path: 'web/separated.md' });
    assert.match(String(separated.content), /One\u2028data: \{"not": "a message"\}\u2028two/);
  }));

test('every identifier of a file leads to its definition, and imports to their files', () =>
  withClient(open.url, async (page) => {
    const { content } = await page.ask('file', { path: 'web/cart.ts' });
    const { links, symbols } = (await page.ask('links', { path: 'web/cart.ts' })) as unknown as {
      links: {
        line: number;
        column: number;
        length: number;
        targets: number[];
        path?: string;
        isDefinition: boolean;
      }[];
      symbols: { path: string; name: string }[];
    };
    const lines = String(content).split('\n');
    const named = links.map(({ line, column, length, targets, path, isDefinition }) => ({
      text: lines[line - 1]!.slice(column - 1, column - 1 + length),
      target: path ?? symbols[targets[0]!]!.path,
      isDefinition,
    }));
    const of = (text: string) => named.filter((each) => each.text === text);
    assert.ok(
      of('price').some(({ target }) => target === 'web/price.ts'),
      JSON.stringify(named),
    );
    assert.ok(
      of('cartTotal').some(({ isDefinition }) => isDefinition),
      JSON.stringify(named),
    );
    assert.ok(
      named.some(({ text, target }) => text.startsWith('./') && target === 'web/price.ts'),
      JSON.stringify(named),
    );
  }));

test('a question about structure is recognised, and names are found while somebody types', () =>
  withClient(open.url, async (page) => {
    assert.equal((await page.ask('suggest', { q: 'what calls price' })).question, 'callers');
    const { question, symbols, paths } = await page.ask('suggest', { q: 'cart' });
    assert.equal(question, 'open');
    assert.ok((symbols as { name: string }[]).some(({ name }) => name === 'cartTotal'));
    assert.ok((paths as string[]).includes('web/cart.ts'));
    const { nodes } = await page.ask('research', { q: 'what calls price' });
    assert.ok((nodes as { label: string }[]).some(({ label }) => label === 'cartTotal'));
  }));

test('a person records, edits and forgets what is known', () =>
  withClient(open.url, async (page) => {
    const made = await page.change('remember', { type: 'decision', content: 'Carts live for a day.', module: '' });
    assert.deepEqual([made.type, made.origin], ['decision', 'person']);
    const changed = { id: made.id, type: 'decision', content: 'Carts live for a week.', module: '' };
    assert.equal((await page.change('edit', changed)).content, 'Carts live for a week.');
    assert.equal((await page.change('forget', { id: made.id })).forgotten, true);
    const { discoveries } = await page.ask('memory', { type: 'decision' });
    assert.doesNotMatch(JSON.stringify(discoveries), /Carts live/);
    await assert.rejects(page.change('remember', { type: 'joke', content: 'x', module: '' }), {
      code: 'invalid_input',
    });
  }));

test('hidden characters are spelled out everywhere but in the content of a file, whose places the page keeps', () =>
  withClient(open.url, async (page) => {
    const { hits } = await page.ask('search', { q: 'direction of a hidden word' });
    const hit = (hits as { path: string; content: string }[]).find(({ path }) => path === 'web/hidden.md');
    assert.match(hit!.content, /hidden<U\+202E>word/);
    const { content } = await page.ask('file', { path: 'web/hidden.md' });
    assert.match(String(content), /hidden\u202eword/);
  }));

test('what cannot be answered is refused with a code and a fix', () =>
  withClient(open.url, async (page) => {
    await assert.rejects(page.ask('file', { path: 'nö/such.ts' }), { code: 'file_not_found' });
    await assert.rejects(page.ask('file', { path: '../outside' }), { code: 'path_forbidden' });
    await assert.rejects(page.ask('file', { path: '.env' }), { code: 'path_forbidden' });
    await assert.rejects(page.ask('why', { path: '.env', from: '1' }), { code: 'path_forbidden' });
    await assert.rejects(page.ask('links', { path: 'nope.ts' }), { code: 'file_not_found' });
    await assert.rejects(page.ask('search', { q: '' }), { code: 'empty_query' });
    await assert.rejects(page.ask('search', { q: 'x', limit: '-1' }), { code: 'invalid_input' });
    await assert.rejects(page.ask('constructor'), { code: '404' });
  }));

test('answers are for this origin only, and nothing is changed by a GET or from elsewhere', async () => {
  const { headers, status } = await get(`${open.url}/api/status`);
  assert.equal(status, 200);
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal((await get(`${open.url}/api/forget?id=x`)).status, 404);
  assert.equal((await get(`${open.url}/api/forget`, { origin: 'http://evil.example' }, 'POST')).status, 403);
  assert.equal((await get(`${open.url}/api/status`, { host: 'evil.example' })).status, 403);
});

test('its client takes the token out of the address that the server prints', () =>
  withClient(guarded.url, async (page) => {
    const own = globalThis as unknown as Record<string, unknown>;
    const visited: string[] = [];
    own.location = { hash: `#token=${TOKEN}`, pathname: '/' };
    own.history = { replaceState: (_state: unknown, _title: string, url: string) => visited.push(url) };
    try {
      assert.equal(page.takeToken(), true);
      assert.deepEqual(visited, ['/#/'], 'the address bar no longer has it');
      assert.equal((await page.ask('status')).indexing, 'ready');
      own.location = { hash: '#/search?q=token=1', pathname: '/' };
      assert.equal(page.takeToken(), false);
    } finally {
      delete own.location;
      delete own.history;
    }
  }));

test('its client hands over the token that a person gave', () =>
  withClient(guarded.url, async (page) => {
    await assert.rejects(page.ask('status'), { code: 'unauthorized' });
    for (const wrong of ['another-secret-of-some-length', 'tökén→', 'two words']) {
      page.setToken(wrong);
      await assert.rejects(page.ask('status'), { code: 'unauthorized', message: /does not know/ }, wrong);
    }
    page.setToken(TOKEN);
    assert.equal((await page.ask('status')).indexing, 'ready');
  }));
