/** A swiftindex server over HTTP with the real engine and the sample project, and a real client. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Message } from '../raw-client.ts';
import { connectHttp, sandbox, serveProfiles } from '../real-engine.ts';

export const box = sandbox();

export const gone = join(box.folder, 'no/such');

export type Arguments = Record<string, unknown>;

export const textOf = (result: Message): string => result.content[0].text;

export async function call(name: string, args: Arguments, by = client): Promise<Message> {
  const result = await by.callTool({ name, arguments: args });
  assert.equal(result.isError ?? false, false, JSON.stringify(result));
  return result as Message;
}

export const search = async (query: string, more: Arguments = {}) =>
  (await call('search_code', { query, ...more })).structuredContent as Message;

export async function refused(name: string, args: Arguments, sentence: string): Promise<void> {
  const result = (await client.callTool({ name, arguments: args })) as Message;
  assert.deepEqual(
    { content: result.content, isError: result.isError },
    { content: [{ type: 'text', text: sentence }], isError: true },
  );
  assert.equal(result.structuredContent, undefined);
}

export const research = (query: string, more: Arguments = {}) => call('code_research', { query, ...more });

export async function idle(): Promise<void> {
  while ((await box.engine.status(box.project)).indexing === 'indexing')
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** For tests of what comes after the first index. */
export async function indexProject(): Promise<void> {
  await call('index_codebase', { path: box.project });
}

export const http = await serveProfiles(box, ['swiftindex'], box.project);
export const client = await connectHttp(`${http.url}/mcp`);

after(async () => {
  await client.close();
  await http.close();
  await box.close();
});
