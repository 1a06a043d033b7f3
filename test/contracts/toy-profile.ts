/** A profile with one tool for each thing a transport must carry. Needs no engine. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool, type Profile, RpcError, ToolRegistry, type ToolResult } from '../../src/contracts/index.ts';
import type { Engine } from '../../src/engine/engine.ts';

const NONE = { type: 'object', properties: {} } as const;
const OUTPUT = { type: 'object' } as const;
const base = { annotations: { readOnlyHint: true }, icons: [{ src: 'data:,' }], output: OUTPUT };

export const noEngine = {} as Engine;

export interface ToySeen {
  aborted?: boolean;
  workspace?: string | null;
  /** The slow tool does not end before this. */
  readonly held?: Promise<void>;
}

export function toyProfile(seen: ToySeen = {}): Profile {
  const echo = defineTool({
    ...base,
    name: 'echo',
    title: 'Echo',
    description: 'Says it again',
    input: {
      type: 'object',
      properties: { text: { type: 'string', maxLength: 100 }, times: { type: 'integer', default: 1, minimum: 1 } },
      required: ['text'],
    },
    async handle({ text, times }) {
      return {
        structured: { text: text.repeat(times) },
        content: [
          {
            type: 'resource_link',
            uri: 'file:///a.ts',
            name: 'a.ts',
            mimeType: 'text/x-typescript',
            description: 'a file',
            annotations: { audience: ['user'], priority: 0.5 },
          },
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        ],
      };
    },
  });
  const slow = defineTool({
    ...base,
    name: 'slow',
    title: 'Slow',
    description: 'Takes its time',
    input: { type: 'object', properties: { ms: { type: 'integer', default: 200 }, fail: { type: 'boolean' } } },
    taskSupport: 'optional',
    async handle({ ms, fail }, ctx): Promise<ToolResult> {
      ctx.signal.addEventListener('abort', () => {
        seen.aborted = true;
      });
      for (let done = 1; done <= 4; done++) {
        await sleep(ms / 4, undefined, { signal: ctx.signal });
        ctx.progress(done, 4, `step ${done}`);
      }
      await seen.held;
      return { structured: { done: true }, ...(fail && { isError: true }) };
    },
  });
  const refuse = defineTool({
    ...base,
    name: 'refuse',
    title: 'Refuse',
    description: 'Answers with a JSON-RPC error',
    input: { type: 'object', properties: { code: { type: 'integer' } }, required: ['code'] },
    async handle({ code }) {
      throw new RpcError(code, 'Refused', { why: 'asked to' });
    },
  });
  const where = defineTool({
    ...base,
    name: 'where',
    title: 'Where',
    description: 'Names the workspace',
    input: NONE,
    async handle(_args, ctx) {
      seen.workspace = await ctx.workspace();
      return { structured: { workspace: seen.workspace } };
    },
  });
  const ask = defineTool({
    ...base,
    name: 'ask',
    title: 'Ask',
    description: 'Asks the client twice',
    input: NONE,
    async handle(_args, ctx) {
      const first = await ctx.ask('one', { kind: 'sampling', prompt: 'First?', maxTokens: 5 });
      const second = await ctx.ask('two', { kind: 'sampling', prompt: 'Second?', maxTokens: 5 });
      return { structured: { answers: [first, second].map((a) => (a?.kind === 'sampling' ? a.text : null)) } };
    },
  });
  const chat = defineTool({
    ...base,
    name: 'chat',
    title: 'Chat',
    description: 'Sends log messages',
    input: NONE,
    async handle(_args, ctx) {
      ctx.notify('debug', 'low');
      ctx.notify('error', 'high');
      return { structured: {} };
    },
  });
  const crash = defineTool({
    ...base,
    name: 'crash',
    title: 'Crash',
    description: 'Throws what nobody expects',
    input: NONE,
    async handle() {
      throw new TypeError('surprise');
    },
  });
  return {
    name: 'toy',
    serverInfo: {
      name: 'toy',
      title: 'Toy',
      version: '1.2.3',
      description: 'A toy',
      icons: [{ src: 'data:,' }],
    },
    instructions: 'Play.',
    tools: new ToolRegistry([echo, slow, refuse, where, ask, chat, crash]),
    errors: {
      invalidArguments: (issues) => ({
        structured: { issues: issues.map(({ path, kind }) => ({ path, kind })) },
        isError: true,
      }),
      engineError: ({ code, message }) => ({ structured: { code, message }, isError: true }),
    },
    resources: {
      list: async () => [{ uri: 'toy://one', name: 'one', title: 'One' }],
      templates: [],
      read: async (uri) => (uri === 'toy://one' ? [{ uri, text: '1' }] : null),
    },
  };
}
