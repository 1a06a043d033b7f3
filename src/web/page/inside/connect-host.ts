/**
 * The connection to the client that shows this view: JSON-RPC over messages between the two windows (MCP Apps,
 * 2026-01-26). The view may call the server's tools through it, if the client allows that.
 */
import { type Json, record } from './json-value.ts';

const PROTOCOL_VERSION = '2026-01-26';

export interface HostEvents {
  /** The arguments of the call whose answer is shown. */
  input(args: Json): void;
  result(result: ToolAnswer): void;
  cancelled(reason: string): void;
  theme(theme: 'light' | 'dark'): void;
}

export interface ToolAnswer {
  readonly structuredContent?: Json;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
}

export interface Host {
  /** The tool whose answer is shown; '' if the client does not name it. */
  readonly tool: string;
  readonly canCallTools: boolean;
  readonly canSendMessages: boolean;
  callTool(name: string, args: Json): Promise<ToolAnswer>;
  /** Sends a message to the conversation on behalf of the user. */
  sendMessage(text: string): Promise<unknown>;
}

interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (result: Json) => void;
  readonly reject: (error: Error) => void;
}

export async function connectHost(events: HostEvents): Promise<Host> {
  const waiting = new Map<number | string, Waiting>();
  let lastId = 0;
  const post = (message: Omit<Message, 'jsonrpc'>) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const request = (method: string, params: Json) =>
    new Promise<Json>((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      post({ id, method, params });
    });
  addEventListener('message', (event: MessageEvent<unknown>) => {
    // Only the parent window is the client.
    if (event.source !== parent || !isMessage(event.data)) return;
    const { id, method, params = {}, result, error } = event.data;
    if (method !== undefined) {
      if (id === undefined) tell(events, method, params);
      // Requests of the client: ping and teardown need an empty result.
      else post({ id, result: {} });
      return;
    }
    const pendingRequest = id === undefined ? undefined : waiting.get(id);
    if (!pendingRequest) return;
    waiting.delete(id!);
    if (error) pendingRequest.reject(new Error(error.message));
    else pendingRequest.resolve(result ?? {});
  });
  const greeting = await request('ui/initialize', {
    protocolVersion: PROTOCOL_VERSION,
    appInfo: { name: 'sextant-answers', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  });
  const context = record(greeting.hostContext);
  tell(events, 'ui/notifications/host-context-changed', context);
  post({ method: 'ui/notifications/initialized', params: {} });
  reportSize(post);
  const capabilities = record(greeting.hostCapabilities);
  return {
    tool: String(record(record(context.toolInfo).tool).name ?? ''),
    canCallTools: 'serverTools' in capabilities,
    canSendMessages: 'message' in capabilities,
    callTool: (name, args) => request('tools/call', { name, arguments: args }),
    sendMessage: (text) => request('ui/message', { role: 'user', content: [{ type: 'text', text }] }),
  };
}

function tell(events: HostEvents, method: string, params: Json): void {
  if (method === 'ui/notifications/tool-input') events.input(record(params.arguments));
  else if (method === 'ui/notifications/tool-result') events.result(params);
  else if (method === 'ui/notifications/tool-cancelled') events.cancelled(String(params.reason ?? ''));
  else if (method === 'ui/notifications/host-context-changed' && (params.theme === 'light' || params.theme === 'dark'))
    events.theme(params.theme);
}

/** Reports the view's size, so that the client gives it the space it needs. */
function reportSize(post: (message: Omit<Message, 'jsonrpc'>) => void): void {
  const root = document.documentElement;
  new ResizeObserver(() => {
    const { width, height } = root.getBoundingClientRect();
    post({
      method: 'ui/notifications/size-changed',
      params: { width: Math.ceil(width), height: Math.ceil(height) },
    });
  }).observe(root);
}

function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && (data as Message).jsonrpc === '2.0';
}
