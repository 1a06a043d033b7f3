/**
 * A profile for embedding in another program's server: tools in the form of `tools/list`, calls answered in the form of
 * `tools/call`. The other server owns the connection, so this module never asks the client anything.
 */
import { randomUUID } from 'node:crypto';
import { type CallContext, callTool, type Log, type Profile } from '../contracts/index.ts';
import type { Engine } from '../engine/engine.ts';
import { inSession } from '../engine/memory/session-engine.ts';
import { waitingForFirstIndex } from '../engine/runs/first-index-wait.ts';
import { LEGACY_VERSIONS } from './protocol/capabilities.ts';
import { resultToWire, toolToWire } from './protocol/wire-shape.ts';

/** The newest protocol version that every SDK in use can send. */
const VERSION = LEGACY_VERSIONS[0]!;

export interface CalledProfileOptions {
  readonly profile: Profile;
  readonly engine: Engine;
  readonly workspace: string | null;
  readonly log: Log;
}

export interface ToolCallOptions {
  readonly signal?: AbortSignal;
  readonly session?: string;
  readonly onProgress?: (done: number, total?: number, message?: string) => void;
}

export type WireRecord = Record<string, unknown>;

export interface CalledProfile {
  readonly name: string;
  readonly instructions: string;
  readonly tools: readonly WireRecord[];
  call(name: string, args?: unknown, options?: ToolCallOptions): Promise<WireRecord>;
  close(): Promise<void>;
}

/** Starts a profile. Throws if it cannot start. The caller closes the engine. */
export async function openCalledProfile(options: CalledProfileOptions): Promise<CalledProfile> {
  const { profile } = options;
  await profile.start?.();
  const ownSession = randomUUID();
  return {
    name: profile.name,
    instructions: profile.instructions,
    tools: profile.tools
      .list()
      .map((tool) => toolToWire(tool, { version: VERSION, tasks: 'extension', showsViews: false })),
    call: async (name, args, call = {}) =>
      resultToWire(await callTool({ profile }, name, args, callContext(options, ownSession, call)), VERSION),
    close: async () => profile.stop?.(),
  };
}

function callContext(
  { engine, workspace, log }: CalledProfileOptions,
  ownSession: string,
  { signal = new AbortController().signal, session = ownSession, onProgress }: ToolCallOptions,
): CallContext {
  return {
    engine: waitingForFirstIndex(inSession(engine, session), signal),
    workspace: async () => workspace,
    signal,
    session,
    progress: (done, total, message) => onProgress?.(done, total, message),
    notify: () => {},
    canAsk: () => false,
    ask: async () => null,
    log,
  };
}
