/** The page as an MCP client: one request, one answer, no session (protocol version 2026-07-28). */

const VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol';
const TOKEN_KEY = 'sextant.token';

export type Json = Record<string, unknown>;

/** What the server refused, in its own words, with the step that mends it where it names one. */
export class Refusal extends Error {
  readonly code: string;
  readonly fix: string;

  constructor(code: string, message: string, fix = '') {
    super(message);
    this.code = code;
    this.fix = fix;
  }
}

/** Kept for this tab only. */
export function setToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
}

/** Takes the token out of an address that the server printed; afterwards neither the address bar nor the history has it. */
export function takeToken(): boolean {
  const [, token] = /^#token=([\x21-\x7e]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return false;
  setToken(decodeURIComponent(token));
  history.replaceState(null, '', `${location.pathname}#/`);
  return true;
}

/** Null where the server wants none, or none was given yet. */
export function tokenOfTab(): string | null {
  return sessionStorage.getItem(TOKEN_KEY);
}

let nextId = 1;

async function request(method: string, name: string, params: Json, signal?: AbortSignal): Promise<Json> {
  const token = tokenOfTab();
  const wrong = new Refusal('unauthorized', 'The server does not know this token.');
  // No header carries such a word, so it is nobody's token.
  if (token !== null && !/^[\x21-\x7e]+$/.test(token)) throw wrong;
  let response: Response;
  try {
    response = await fetch('/mcp', {
      method: 'POST',
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        'MCP-Protocol-Version': VERSION,
        'Mcp-Method': method,
        'Mcp-Name': headerValue(name),
        ...(token !== null && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: nextId++,
        method,
        params: {
          ...params,
          _meta: {
            [`${META}/protocolVersion`]: VERSION,
            [`${META}/clientInfo`]: { name: 'sextant-page', version: '1' },
            [`${META}/clientCapabilities`]: {},
          },
        },
      }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal('unreachable', 'The server does not answer.', 'Is `sextant serve` still running?');
  }
  if (response.status === 401)
    throw token === null ? new Refusal('unauthorized', 'This server wants its token.') : wrong;
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const message = parseMessage(await response.text(), streamed);
  const error = message.error as { code: number; message: string } | undefined;
  if (error) throw new Refusal(String(error.code), error.message);
  if (!message.result)
    throw new Refusal(String(response.status), `The server answered with status ${response.status}.`);
  return message.result as Json;
}

/** Plain JSON, or the last event of a stream. Its lines end with \n only: JSON may hold other ends of lines as they are. */
function parseMessage(text: string, streamed: boolean): Json {
  const events = streamed ? text.split('\n').filter((line) => /^data: ?\{/.test(line)) : [];
  try {
    return JSON.parse(events.at(-1)?.slice('data:'.length) ?? text) as Json;
  } catch {
    return {};
  }
}

/** Headers carry ASCII only; the protocol has a form for everything else. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  return `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`;
}

export async function callTool(name: string, args: Json, signal?: AbortSignal): Promise<Json> {
  const result = await request('tools/call', name, { name, arguments: args }, signal);
  const content = result.structuredContent as Json;
  if (!result.isError) return content;
  const { code, message, fix } = content.error as { code: string; message: string; fix: string };
  throw new Refusal(code, message, fix);
}

export async function readResource(uri: string): Promise<Json> {
  const { contents } = (await request('resources/read', uri, { uri })) as { contents: { text: string }[] };
  return JSON.parse(contents[0]!.text) as Json;
}
