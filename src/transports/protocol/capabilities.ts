/** Capabilities of server and client, per protocol era. */
import type { ServerCapabilities, ServerContext } from '@modelcontextprotocol/server';
import { type Profile, RpcError } from '../../contracts/index.ts';
import { VIEW_TYPE, VIEWS_EXTENSION } from '../../contracts/kit/view-type.ts';
import { isRecord } from '../../model/runtime/is-record.ts';

/**
 * `legacy`: versions up to 2025-11-25, a connection that begins with `initialize`. `modern`: 2026-07-28, where each
 * request is independent.
 */
export type Era = 'legacy' | 'modern';
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** The only version with batches. */
export const BATCH_VERSION = '2025-03-26';
export const MODERN_VERSION = '2026-07-28';
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
/** Keys of `_meta` in 2026-era requests. Defined here, because the SDK is loaded late (greeting.ts). */
export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

export function serverCapabilities(profile: Profile, era: Era): ServerCapabilities {
  const hasTasks = runsTasks(profile);
  return {
    tools: { listChanged: true },
    logging: {},
    ...(profile.resources && { resources: profile.resources.subscribe ? { subscribe: true } : {} }),
    ...(profile.prompts && { prompts: {} }),
    ...(profile.complete && { completions: {} }),
    ...(hasTasks && era === 'legacy' && { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
    ...(hasTasks && era === 'modern' && { extensions: { [TASKS_EXTENSION]: {} } }),
  };
}

export function runsTasks(profile: Profile): boolean {
  return profile.tools.list().some((tool) => tool.taskSupport !== 'forbidden');
}

/** The capabilities that a client declares with each request of the 2026 protocol. */
export function declaredCapabilities(sdk: ServerContext): Record<string, unknown> {
  const envelope: Record<string, unknown> = sdk.mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_KEY];
  return isRecord(capabilities) ? capabilities : {};
}

export function declaresTasks(sdk: ServerContext): boolean {
  const { extensions } = declaredCapabilities(sdk);
  return isRecord(extensions) && TASKS_EXTENSION in extensions;
}

/** Whether a client with these capabilities shows MCP Apps in the format of our views. */
export function showsViews(capabilities: unknown): boolean {
  const extensions = isRecord(capabilities) ? capabilities.extensions : undefined;
  const declared = isRecord(extensions) ? extensions[VIEWS_EXTENSION] : undefined;
  return isRecord(declared) && Array.isArray(declared.mimeTypes) && declared.mimeTypes.includes(VIEW_TYPE);
}

/**
 * The SDK rewrites -32002, which the gocontext contract uses, so the code is replaced by another one until the message
 * has passed the SDK.
 */
const REWRITTEN_CODE = -32002;
const DISGUISED_CODE = -132_002;

export function disguiseCode(thrown: unknown): unknown {
  return thrown instanceof RpcError && thrown.code === REWRITTEN_CODE
    ? new RpcError(DISGUISED_CODE, thrown.message, thrown.data)
    : thrown;
}

export function revealCode<M extends object>(message: M): M {
  if (!('error' in message) || !isRecord(message.error) || message.error.code !== DISGUISED_CODE) return message;
  return { ...message, error: { ...message.error, code: REWRITTEN_CODE } };
}
