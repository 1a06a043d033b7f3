/** A codecompass server over HTTP with the real engine and a git repository, and a real client. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { type HttpHandle, serveHttp } from '../../../src/transports/index.ts';
import type { Message } from '../raw-client.ts';
import { connectHttp, sandbox } from '../real-engine.ts';

export const box = sandbox(/^(?!Sources|vendor)/);

export const opened: { client: Client; http: HttpHandle }[] = [];

export const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main', ...args], {
    cwd: box.project,
    stdio: 'pipe',
  });

/** A server for another workspace, or in debug mode. */
export async function open(workspace: string, debug = false): Promise<Client> {
  const options = { engine: box.engine, workspace, debug, host: '127.0.0.1', port: 0, version: '9.9.9', log: () => {} };
  const http = await serveHttp({ ...options, profiles: ['codecompass'] });
  const made = await connectHttp(`${http.url}/mcp`);
  opened.push({ client: made, http });
  return made;
}

export type Arguments = Record<string, unknown>;

export const STATES: Readonly<Record<string, readonly string[]>> = {
  freshness_status: ['fresh', 'stale', 'syncing'],
  indexing_status: ['not_indexed', 'indexing', 'ready', 'failed'],
  result_completeness: ['complete', 'partial', 'truncated'],
  schema_status: ['compatible', 'not_indexed', 'reindex_required', 'corrupt_manifest'],
};

/** Every answer passes here: the metadata block is checked on each. */
export async function send(name: string, args: Arguments, by: Client): Promise<Message> {
  const result = (await by.callTool({ name, arguments: args })) as Message;
  const payload = result.structuredContent as Message;
  assert.deepEqual(JSON.parse(result.content[0].text), payload);
  assert.deepEqual(Object.keys(payload.metadata), [
    'codecompass_protocol_version',
    'freshness_status',
    'indexing_status',
    'result_completeness',
    'ref',
    'schema_status',
  ]);
  assert.equal(payload.metadata.codecompass_protocol_version, '1.0');
  for (const [field, known] of Object.entries(STATES)) assert.ok(known.includes(payload.metadata[field]), field);
  assert.equal(result.isError ?? false, 'error' in payload, JSON.stringify(payload));
  return payload;
}

export async function call(name: string, args: Arguments = {}, by = client): Promise<Message> {
  const payload = await send(name, args, by);
  assert.equal(payload.error, undefined, JSON.stringify(payload.error));
  return payload;
}

export async function refused(name: string, args: Arguments, code: string, by = client): Promise<Message> {
  const { error, metadata } = await send(name, args, by);
  assert.equal(error?.code, code, JSON.stringify(error));
  assert.ok(error.message.length > 0);
  return { ...error, metadata };
}

export async function jobEnds(by = client, ref?: string): Promise<Message> {
  for (;;) {
    const status = await call('index_status', ref ? { ref } : {}, by);
    if (status.active_job === null && status.index_status !== 'indexing') return status;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

export const search = (query: string, more: Arguments = {}) => call('search_code', { query, ...more });

/** Registers and indexes the project, for tests of what comes after. */
export async function indexProject(): Promise<void> {
  await box.engine.register(box.project);
  await call('index_repo');
  await jobEnds();
}

git('init', '-q');
git('add', '.');
git('commit', '-qm', 'first');
export const client = await open(box.project);

after(async () => {
  for (const { client: one, http } of opened) {
    await one.close();
    await http.close();
  }
  await box.close();
});
