/** The default profile over HTTP with the real engine and the sample project, and a real client. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Message } from '../raw-client.ts';
import { connectHttp, PATIENT, sandbox, serveProfiles } from '../real-engine.ts';

export const box = sandbox();

export type Arguments = Record<string, unknown>;

/** The text says in short what the structured answer says. */
export async function call(name: string, args: Arguments = {}, by = client): Promise<Message> {
  const { isError, structuredContent, content } = (await by.callTool({ name, arguments: args }, PATIENT)) as Message;
  assert.equal(isError ?? false, false, JSON.stringify(structuredContent));
  assert.ok(content[0].text.length <= JSON.stringify(structuredContent).length, content[0].text);
  return structuredContent;
}

export async function refused(name: string, args: Arguments, code: string, by = client): Promise<Message> {
  const result = (await by.callTool({ name, arguments: args }, PATIENT)) as Message;
  assert.equal(result.isError, true, JSON.stringify(result));
  const { error } = result.structuredContent;
  assert.equal(error.code, code, JSON.stringify(error));
  assert.ok(error.message.length > 0 && error.fix.length > 0);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return error;
}

/** For tests of what comes after the first index. */
export async function indexProject(): Promise<void> {
  await call('index_codebase');
}

export const http = await serveProfiles(box, ['sextant'], box.project);
export const client = await connectHttp(`${http.url}/mcp`);

after(async () => {
  await client.close();
  await http.close();
  await box.close();
});
