/** An agent with a server of its own: the real binary over standard input and output. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ended, type RunOptions, type Sandbox } from '../cli/sextant.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of a protocol under test
export type Answer = Record<string, any>;

export interface Agent {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stderr: () => string;
  /** The structured content of a tool's answer; throws what the tool refused with. */
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Asks until `fits`, and says how long it took. */
  until(
    tool: string,
    args: Record<string, unknown>,
    fits: (answer: Answer) => boolean,
    timeoutMs?: number,
  ): Promise<number>;
  /** Hangs up and waits for the server to end. */
  leave(): Promise<{ code: number | null; signal: string | null }>;
}

export async function agent(
  box: Sandbox,
  options: RunOptions & { readonly workspace?: string; readonly profile?: string } = {},
): Promise<Agent> {
  const { workspace = box.path(), profile = 'sextant' } = options;
  const child = box.start(['serve-mcp', '--workspace', workspace, '--profile', profile], options);
  const waiting = new Map<number, (message: Answer) => void>();
  let text = '';
  let errors = '';
  let id = 0;
  child.stderr.on('data', (part) => {
    errors += part;
  });
  child.stdout.on('data', (part: Buffer) => {
    text += part;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const message = JSON.parse(text.slice(0, end)) as Answer;
      text = text.slice(end + 1);
      if (!('method' in message)) waiting.get(message.id)?.(message);
    }
  });
  const send = (message: Answer) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method: string, params: Answer) =>
    new Promise<Answer>((resolve, reject) => {
      const own = ++id;
      const gone = () => reject(new Error(`the server ended before it answered ${method}: ${errors}`));
      child.once('exit', gone);
      waiting.set(own, (message) => {
        waiting.delete(own);
        child.off('exit', gone);
        resolve(message);
      });
      send({ id: own, method, params });
    });
  child.stdin.on('error', () => undefined);
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  const self: Agent = {
    child,
    stderr: () => errors,
    async call(tool, args = {}) {
      const { result, error } = await request('tools/call', { name: tool, arguments: args });
      if (error) throw new Error(JSON.stringify(error));
      if (result.isError) throw new Error(JSON.stringify(result.structuredContent ?? result.content));
      return result.structuredContent ?? JSON.parse(result.content[0].text);
    },
    async until(tool, args, fits, timeoutMs = 60_000) {
      const started = performance.now();
      for (;;) {
        const answer = await self.call(tool, args).catch((error: Error) => ({ error: error.message }) as Answer);
        if (fits(answer)) return performance.now() - started;
        if (performance.now() - started > timeoutMs)
          throw new Error(
            `${tool} ${JSON.stringify(args)} did not come to it; last: ${JSON.stringify(answer).slice(0, 600)}`,
          );
        await sleep(20);
      }
    },
    leave() {
      child.stdin.end();
      return ended(child);
    },
  };
  return self;
}
