/** Processes of one machine share one engine, survive its death, and answer about their own projects. */
import assert from 'node:assert/strict';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ended, type RunOptions, SAMPLE, type Sandbox, sandbox, waitFor, worked } from './sextant.ts';

const unix = { skip: process.platform === 'win32' };

// biome-ignore lint/suspicious/noExplicitAny: messages of a protocol under test
type Message = Record<string, any>;

interface Agent {
  readonly child: ChildProcessWithoutNullStreams;
  send(method: string, params?: Message): Promise<Message>;
  search(query: string): Promise<string>;
}

/** An agent that has started a server and sent `initialize`. */
async function connect(box: Sandbox, workspace = '.', options: RunOptions = {}): Promise<Agent> {
  const child = box.start(['serve-mcp', '--workspace', workspace], options);
  const answers = new Map<number, (message: Message) => void>();
  let text = '';
  child.stdout.on('data', (part) => {
    const lines = (text + part).split('\n');
    text = lines.pop()!;
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      answers.get(message.id)?.(message);
    }
  });
  let last = 0;
  const write = (message: Message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const send = (method: string, params?: Message) =>
    new Promise<Message>((resolve) => {
      const id = ++last;
      answers.set(id, resolve);
      write({ id, method, params });
    });
  await send('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  });
  write({ method: 'notifications/initialized' });
  return {
    child,
    send,
    async search(query) {
      const { result } = await send('tools/call', { name: 'search_code', arguments: { query } });
      return result.structuredContent.results?.[0]?.path;
    },
  };
}

function sockets(box: Sandbox): string[] {
  return readdirSync(join(box.home, 'run')).filter((name) => name.endsWith('.sock'));
}

/** A second project beside the first. */
function secondProject(box: Sandbox): string {
  const folder = join(box.folder, 'second');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'lamp.py'), 'def light_the_lamp(oil):\n    """Lights the lamp."""\n    return oil\n');
  return folder;
}

/** Whether a process answers within half a second; one that relays to a stopped engine never does. */
async function answers(request: Promise<unknown>): Promise<boolean> {
  return Promise.race([request.then(() => true), new Promise<false>((done) => setTimeout(done, 500, false))]);
}

test('a second server relays to the first, and each answers about its own project', unix, async () => {
  const box = sandbox();
  box.write(SAMPLE);
  const second = secondProject(box);
  const first = await connect(box);
  assert.equal(await first.search('addToCart'), 'web/cart.ts');
  const other = await connect(box, second);
  assert.equal(await other.search('light_the_lamp'), 'lamp.py');
  assert.equal(sockets(box).length, 1);
  const folder = join(box.home, 'run');
  const modes = [folder, join(folder, sockets(box)[0]!), join(folder, 'secret')].map((p) => statSync(p).mode & 0o777);
  assert.deepEqual(modes, [0o700, 0o600, 0o600]);

  first.child.kill('SIGSTOP');
  const held = other.send('ping');
  assert.equal(await answers(held), false, 'the first process answers for the second');
  first.child.kill('SIGCONT');
  await held;

  // The first agent exits: its server stays for the other agent, then ends.
  first.child.stdin.end();
  assert.equal(await other.search('light_the_lamp'), 'lamp.py');
  assert.equal(first.child.exitCode, null);
  other.child.stdin.end();
  assert.equal((await ended(other.child)).code, 0);
  first.child.kill('SIGTERM');
  await ended(first.child);
  assert.deepEqual(sockets(box), []);
});

test('a server whose agent has gone ends after its last other client', unix, async () => {
  const box = sandbox();
  box.write(SAMPLE);
  const env = { SEXTANT_SERVE_IDLE_SECONDS: '0' };
  const first = await connect(box, '.', { env });
  const other = await connect(box, '.', { env });
  assert.equal(await other.search('addToCart'), 'web/cart.ts');
  first.child.stdin.end();
  other.child.stdin.end();
  assert.equal((await ended(first.child)).code, 0);
});

test('after kill -9 of the engine, every call in progress is still answered', unix, async () => {
  const box = sandbox();
  box.write(SAMPLE);
  const engine = await connect(box);
  assert.equal(await engine.search('addToCart'), 'web/cart.ts');
  const others = await Promise.all([connect(box), connect(box), connect(box)]);
  const answering = others.map((agent) =>
    agent.send('tools/call', { name: 'index_codebase', arguments: { path: box.path(), force: true } }),
  );
  engine.child.kill('SIGKILL');
  // All three need the same index: one makes it, and the others may get `index_in_progress`.
  for (const answer of await Promise.all(answering)) assert.ok(answer.result, JSON.stringify(answer));
  for (const agent of others) assert.equal(await agent.search('NextDelay'), 'retry/policy.go');
  assert.equal(sockets(box).length, 1);
  // Now one of the three is the engine, and the others are its clients.
  for (const agent of others) agent.child.stdin.end();
  for (const agent of others) agent.child.kill('SIGTERM');
});

test(
  'a request that a hanging engine has taken is answered by the next one once the first is killed',
  unix,
  async () => {
    const box = sandbox();
    box.write(SAMPLE);
    const agents = [await connect(box), await connect(box), await connect(box)];
    const [first, second, third] = agents as [Agent, Agent, Agent];
    await third.search('addToCart');
    first.child.kill('SIGSTOP');
    const answering = third.send('tools/call', { name: 'search_code', arguments: { query: 'NextDelay' } });
    await new Promise((done) => setTimeout(done, 100));
    first.child.kill('SIGKILL');
    const answer = await answering;
    assert.equal(answer.result.structuredContent.results[0].path, 'retry/policy.go');
    for (const agent of [second, third]) agent.child.kill('SIGTERM');
  },
);

test('servers with different user settings use different engines', unix, async () => {
  const box = sandbox();
  box.write(SAMPLE);
  const first = await connect(box);
  await first.search('addToCart');
  const other = await connect(box, '.', { env: { SEXTANT_PRIVACY_REDACT: 'off' } });
  assert.equal(await other.search('addToCart'), 'web/cart.ts');
  assert.equal(sockets(box).length, 2);
  first.child.kill('SIGSTOP');
  // Waits without a limit, because a loaded machine may start the second engine slowly.
  await other.send('ping');
  for (const agent of [first, other]) agent.child.kill('SIGKILL');
});

test('a server replaces the socket of a killed engine and refuses a folder that others may enter', unix, async () => {
  const box = sandbox();
  box.write(SAMPLE);
  const killed = await connect(box);
  killed.child.kill('SIGKILL');
  await ended(killed.child);
  assert.equal(sockets(box).length, 1, 'the socket is left behind');
  const next = await connect(box);
  assert.equal(await next.search('addToCart'), 'web/cart.ts');
  const other = await connect(box);
  next.child.kill('SIGSTOP');
  assert.equal(await answers(other.send('ping')), false, 'the new engine listens');
  for (const agent of [next, other]) agent.child.kill('SIGKILL');
  await ended(next.child);

  rmSync(join(box.home, 'run'), { recursive: true });
  mkdirSync(join(box.home, 'run'));
  chmodSync(join(box.home, 'run'), 0o755);
  const alone = await connect(box);
  assert.equal(await alone.search('addToCart'), 'web/cart.ts');
  assert.deepEqual(sockets(box), []);
  alone.child.kill('SIGTERM');
});

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function post(url: string, method: string, params: Message) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
  const headers = { ...HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': params.name };
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

test(
  'a second serve is served by the first, at its own address, and takes over when the first ends',
  unix,
  async () => {
    const box = sandbox('shop');
    box.write(SAMPLE);
    const second = secondProject(box);
    const probe = spawnSync(process.execPath, [
      '-e',
      "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})",
    ]);
    const env = { SEXTANT_SERVE_PORT: String(probe.stdout).trim() };
    const a = box.start(['serve', '--no-token'], { env });
    const first = /Serving \S+ at (\S+)/.exec(await waitFor(a.stdout, /Ctrl-C/))![1]!;
    assert.match(first, /\/p\/shop\/mcp$/);
    const b = box.start(['serve', '--no-token', second], { env });
    const serveOutput = await waitFor(b.stdout, /Ctrl-C/);
    assert.match(serveOutput, /by the server that is already running/);
    const other = /Serving \S+ at (\S+)/.exec(serveOutput)![1]!;
    assert.equal(new URL(other).host, new URL(first).host);
    assert.match(other, /\/p\/second\/mcp$/);

    const ask = (url: string, query: string) => post(url, 'tools/call', { name: 'search_code', arguments: { query } });
    assert.match((await ask(first, 'addToCart')).text, /web\/cart\.ts/);
    assert.match((await ask(other, 'light_the_lamp')).text, /lamp\.py/);
    assert.doesNotMatch((await ask(other, 'addToCart')).text, /cart\.ts/);
    assert.match((await ask(`${other}/swiftindex`, 'light_the_lamp')).text, /lamp\.py/);
    const unknown = await ask(other.replace('second', 'third'), 'lamp');
    assert.equal(unknown.status, 404);
    assert.match(unknown.text, /projects list/);

    const list = JSON.parse(worked(box.run(['projects', 'list', '--format', 'json'])));
    assert.deepEqual(
      list.projects.map((p: Message) => p.name),
      ['second', 'shop'],
    );
    worked(box.run(['projects', 'remove', 'shop']));
    assert.equal((await ask(first, 'addToCart')).status, 404);
    worked(box.run(['projects', 'add', '.']));
    assert.match((await ask(first, 'addToCart')).text, /web\/cart\.ts/);

    a.kill('SIGTERM');
    assert.equal((await ended(a)).code, 0);
    let answer: Awaited<ReturnType<typeof ask>> | null = null;
    for (let tries = 0; tries < 100 && !answer; tries++) {
      answer = await ask(other, 'light_the_lamp').catch(() => null);
      if (!answer) await new Promise((done) => setTimeout(done, 50));
    }
    assert.match(answer?.text ?? '', /lamp\.py/);
    const unnamed = await ask(new URL('/mcp', other).href, 'addToCart');
    assert.match(unnamed.text, /web\/cart\.ts/, '/mcp still means the project that it meant before the takeover');
    b.kill('SIGTERM');
    assert.equal((await ended(b)).code, 0);
  },
);

test('a project name is never reused for another project', () => {
  const box = sandbox('api');
  box.write(SAMPLE);
  const twin = join(box.folder, 'elsewhere', 'api');
  mkdirSync(twin, { recursive: true });
  writeFileSync(join(twin, 'a.py'), 'x = 1\n');
  worked(box.run(['projects', 'add', '.']));
  assert.match(worked(box.run(['projects', 'add', twin])), /project api-2:/);
  worked(box.run(['projects', 'remove', 'api']));
  const third = join(box.folder, 'third', 'api');
  mkdirSync(third, { recursive: true });
  assert.match(worked(box.run(['projects', 'add', third])), /project api-3:/);
  assert.match(worked(box.run(['projects', 'add', '.'])), /project api:/);
  assert.equal(box.run(['projects', 'add', twin, '--name', 'api']).code, 2);
  assert.equal(box.run(['projects', 'add', twin, '--name', '../x']).code, 2);
  assert.equal(box.run(['projects', 'remove', 'nobody']).code, 2);
});

test('savings counts calls, tokens, and each file that answers show once per session', unix, async () => {
  const box = sandbox('shop');
  box.write(SAMPLE);
  assert.match(worked(box.run(['savings'])), /No agent has asked anything/);
  const agent = await connect(box);
  assert.equal(await agent.search('addToCart'), 'web/cart.ts');
  await agent.send('tools/call', { name: 'read_file', arguments: { path: 'web/cart.ts' } });
  agent.child.stdin.end();
  await ended(agent.child);
  const { projects, assumption } = JSON.parse(worked(box.run(['savings', '--format', 'json'])));
  assert.deepEqual([projects[0].name, projects[0].servers, projects[0].calls], ['shop', 1, 2]);
  assert.ok(projects[0].tokens_given > 0);
  // At least cart.ts, and no file twice, so at most all files of the project.
  const whole = Object.values(SAMPLE).reduce((sum, text) => sum + text.length, 0) / 3.5;
  const cart = SAMPLE['web/cart.ts']!.length / 3.5;
  assert.ok(projects[0].tokens_of_whole_files >= Math.floor(cart), JSON.stringify(projects));
  assert.ok(projects[0].tokens_of_whole_files <= Math.ceil(whole), JSON.stringify(projects));
  assert.match(assumption, /whole/);
});
