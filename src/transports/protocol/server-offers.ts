/** Registers the resources, prompts and completions of a profile on the server of one connection. */
import type { Result, Server, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type CompletionRequest, RpcError } from '../../contracts/index.ts';
import { revealIn } from '../../model/untrusted/visible-text.ts';
import type { Call, Connection } from './tool-call.ts';
import { blockToWire, titled } from './wire-shape.ts';

export type CallWork = (call: Call) => Promise<Result>;
/** Runs the work of a request with its call context and converts its errors. */
export type Run = (
  method: string,
  params: Record<string, unknown>,
  sdk: ServerContext,
  work: CallWork,
) => Promise<Result>;

const MAX_COMPLETIONS = 100;
const anyParams = { params: z.looseObject({}).optional() };
const uriParams = { params: z.looseObject({ uri: z.string() }) };
const promptParams = {
  params: z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() }),
};
const completeParams = {
  params: z.looseObject({
    ref: z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
      z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
    ]),
    argument: z.looseObject({ name: z.string(), value: z.string() }),
    context: z.looseObject({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
  }),
};

/** Returns a function that ends the subscriptions of this connection. */
export function registerOffers(server: Server, connection: Connection, run: Run): () => void {
  registerPrompts(server, connection, run);
  registerCompletions(server, connection, run);
  return registerResources(server, connection, run);
}

function registerResources(server: Server, connection: Connection, run: Run): () => void {
  const subscriptions = new Map<string, () => void>();
  const { resources } = connection.host.profile;
  if (!resources) return () => {};
  server.setRequestHandler('resources/list', anyParams, (_params, sdk) =>
    run('resources/list', {}, sdk, async (call) => ({
      resources: (await resources.list(call)).map((resource) => recordToWire(resource, connection.version)),
    })),
  );
  server.setRequestHandler('resources/templates/list', anyParams, () => ({
    resourceTemplates: resources.templates.map((template) => recordToWire(template, connection.version)),
  }));
  server.setRequestHandler('resources/read', uriParams, (params, sdk) =>
    run('resources/read', params, sdk, async (call) => {
      const contents = await resources.read(params.uri, call);
      if (contents) return { contents: revealIn(contents) };
      // -32002 until 2025-11-25, -32602 since.
      throw new RpcError(connection.modern ? -32602 : -32002, `Resource not found: ${params.uri}`, { uri: params.uri });
    }),
  );
  if (resources.subscribe) {
    server.setRequestHandler('resources/subscribe', uriParams, ({ uri }) => {
      subscriptions.get(uri)?.();
      const changed = () => {
        server.notification({ method: 'notifications/resources/updated', params: { uri } }).catch(() => {});
      };
      subscriptions.set(uri, resources.subscribe!(uri, changed));
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', uriParams, ({ uri }) => {
      subscriptions.get(uri)?.();
      subscriptions.delete(uri);
      return {};
    });
  }
  return () => {
    for (const stop of subscriptions.values()) stop();
    subscriptions.clear();
  };
}

function registerPrompts(server: Server, connection: Connection, run: Run): void {
  const { prompts } = connection.host.profile;
  if (!prompts) return;
  server.setRequestHandler('prompts/list', anyParams, () => ({
    prompts: prompts.map(({ get: _get, ...prompt }) => recordToWire(prompt, connection.version)),
  }));
  server.setRequestHandler('prompts/get', promptParams, (params, sdk) =>
    run('prompts/get', params, sdk, async (call) => {
      const prompt = prompts.find(({ name }) => name === params.name);
      if (!prompt) throw new RpcError(-32602, `Unknown prompt: ${params.name}`);
      const args = params.arguments ?? {};
      const missing = prompt.arguments?.find((argument) => argument.required && !args[argument.name]);
      if (missing) throw new RpcError(-32602, `Missing required argument: ${missing.name}`);
      const messages = (await prompt.get(args, call)).flatMap(({ role, content }) =>
        blockToWire(revealIn(content), connection.version).map((block) => ({ role, content: block })),
      );
      return { ...(prompt.description !== undefined && { description: prompt.description }), messages };
    }),
  );
}

function registerCompletions(server: Server, { host: { profile } }: Connection, run: Run): void {
  if (!profile.complete) return;
  server.setRequestHandler('completion/complete', completeParams, (params, sdk) =>
    run('completion/complete', params, sdk, async (call) => {
      const { ref, argument, context } = params;
      if (ref.type === 'ref/prompt' && !profile.prompts?.some(({ name }) => name === ref.name))
        throw new RpcError(-32602, `Unknown prompt: ${ref.name}`);
      const request: CompletionRequest = {
        ref: ref.type === 'ref/prompt' ? { kind: 'prompt', name: ref.name } : { kind: 'resource', name: ref.uri },
        argument: argument.name,
        value: argument.value,
        context: context?.arguments ?? {},
      };
      const values = revealIn(await profile.complete!(request, call));
      const hasMore = values.length > MAX_COMPLETIONS;
      return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore } };
    }),
  );
}

function recordToWire<T extends { readonly title?: string; readonly icons?: readonly { readonly src: string }[] }>(
  record: T,
  version: string,
) {
  const { title, icons, ...rest } = record;
  return { ...rest, ...titled({ title, icons }, version) };
}
