/** A gocontext server over HTTP with the real engine and the sample project, and a real client. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Message } from '../raw-client.ts';
import { answerOf, connectHttp, sandbox, serveProfiles } from '../real-engine.ts';

export const box = sandbox(/^(?!Sources)/);

export type Arguments = Record<string, unknown>;

export const call = (name: string, args: Arguments, by = client) => answerOf(by, name, args);

export async function refused(
  name: string,
  args: Arguments,
  code: number,
  message: string,
  by = client,
): Promise<Message> {
  try {
    await by.callTool({ name, arguments: args });
  } catch (error) {
    const { code: got, data, message: words } = error as { code: number; message: string; data: Message };
    assert.deepEqual([got, words.replace(/^MCP error -\d+: /, '')], [code, message], JSON.stringify(args));
    assert.equal(typeof data.reason, 'string');
    return data;
  }
  return assert.fail(`${name} ${JSON.stringify(args)} was not refused`);
}

export const search = (query: string, more: Arguments = {}) =>
  call('search_code', { path: box.project, query, ...more });

export const paths = (answer: Message): string[] => answer.results.map(({ file }: Message) => file.path);

export const names = (answer: Message): string[] => answer.results.map(({ symbol }: Message) => symbol?.name);

export const http = await serveProfiles(box, ['gocontext'], null);
export const client = await connectHttp(`${http.url}/mcp`);

after(async () => {
  await client.close();
  await http.close();
  await box.close();
});
