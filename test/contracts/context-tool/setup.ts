/** A context-tool server over HTTP with the real engine, a project with blocked and broken files, and a real client. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { Metrics } from '../../../src/contracts/index.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { type HttpHandle, serveHttp } from '../../../src/transports/index.ts';
import type { Message } from '../raw-client.ts';
import { answerOf, connectHttp, sandbox } from '../real-engine.ts';

export const box = sandbox(/^(?:web|README|internal\/billing)/);

export const metrics = new Metrics();

export const log: { level: string; message: string; fields: Message }[] = [];

/** High enough for the tests before the one that runs into them. */
export const limits = { context_search: 200, read_file: 100, grep_codebase: 60 };

export const put = (path: string, text: string) => box.write(join('shop', path), text);

export function serve(
  workspace: string,
  engine: Engine = box.engine,
  rateLimits: Message = limits,
): Promise<HttpHandle> {
  return serveHttp({
    engine,
    profiles: ['context-tool'],
    workspace,
    host: '127.0.0.1',
    port: 0,
    version: '9.9.9',
    settings: { 'context-tool': { rateLimits } },
    metrics,
    log: (level, message, fields = {}) => log.push({ level, message, fields }),
  });
}

export type Arguments = Record<string, unknown>;

export const call = (name: string, args: Arguments, by = client) => answerOf(by, name, args);

/** What a refusal says: JSON in the text, and the same as structured content. */
export async function refused(name: string, args: Arguments, by = client): Promise<Message> {
  const result = (await by.callTool({ name, arguments: args })) as Message;
  assert.equal(result.isError, true, JSON.stringify(result));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

/** An engine whose memory fails as told; all else is real. */
export function failingEngine(error: unknown, more: Partial<Engine> = {}): Engine {
  return Object.assign(Object.create(box.engine) as Engine, {
    contextSearch: () => Promise.reject(error),
    status: box.engine.status.bind(box.engine),
    project: box.engine.project.bind(box.engine),
    root: box.engine.root.bind(box.engine),
    firstIndex: async () => false,
    ...more,
  });
}

put('.env', 'TOKEN=1\n');
put('.env.example', 'TOKEN=\n');
put('.ENV.Local', 'TOKEN=2\n');
put('config/.env.production', 'TOKEN=3\n');
put('.git/config', '[core]\n');
put('node_modules/left-pad/index.js', 'export const pad = 1; // needle\n');
for (const folder of ['dist', 'build', '.next', '.context']) put(`${folder}/made.js`, '// needle\n');
put('ignored.log', 'needle\n');
put('.gitignore', 'ignored.log\n');
put('web/big.txt', 'x'.repeat(1024 * 1024 + 1));
put('web/notes.txt', 'one\ntwo\nthe Needle is here\nfour\nfive\n--files\n');
put('web/bulk.ts', "import './huge';\nimport './nowhere';\nimport 'left-pad';\n");
put('web/huge.ts', `export const text = '${'x'.repeat(1024 * 1024)}';\n`);
put('web/broken.ts', 'import { from ;;; "\nexport function {{{ (\n');
box.write('secret.txt', 'outside\n');
symlinkSync(join(box.folder, 'secret.txt'), join(box.project, 'web/out.txt'));
symlinkSync(join(box.project, 'node_modules/left-pad/index.js'), join(box.project, 'web/pad.js'));
symlinkSync(join(box.project, '.env'), join(box.project, 'web/settings.txt'));
await box.engine.index(box.project);
export const http = await serve(box.project);
export const client = await connectHttp(`${http.url}/mcp`);

after(async () => {
  await client.close();
  await http.close();
  await box.close();
});
