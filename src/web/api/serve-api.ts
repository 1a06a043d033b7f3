/** Serves `/api/NAME` over HTTP: GET queries, POST changes. The HTTP server has already checked access. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import type { Engine } from '../../engine/engine.ts';
import { type EngineError, ERROR_TABLE, toEngineError } from '../../model/records/engine-errors.ts';
import { parseScope } from '../../model/records/scope.ts';
import { isRecord } from '../../model/runtime/is-record.ts';
import { revealIn } from '../../model/untrusted/visible-text.ts';
import type { Site } from '../site.ts';
import type { Refused } from './page-api.ts';
import { Parameters } from './parameters.ts';
import { ANSWERS, type ApiCall, CHANGES } from './routes.ts';

const PREFIX = '/api/';
const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Returns false for a path that is no route, or for another method than the route's. */
export async function serveApi(
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, searchParams }: URL,
  site: Site,
): Promise<boolean> {
  if (!pathname.startsWith(PREFIX)) return false;
  const name = pathname.slice(PREFIX.length);
  const run = handler(request.method, name);
  if (!run) return false;
  // Read first: the HTTP server answers the error of an unreadable body.
  const body = request.method === 'POST' ? await site.body() : undefined;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const parameters = new Parameters(searchParams);
    const engine = await site.engine();
    const folder = await shownProject(engine, parameters.optional('project'), site.workspace);
    const call = { engine, folder, parameters, signal: gone.signal, metrics: site.metrics };
    send(response, 200, visible(await run(call, body)));
  } catch (thrown) {
    const error = toEngineError(thrown);
    if (error.code === 'internal_error') site.log('error', 'page request failed', { route: name, error: thrown });
    send(response, ERROR_TABLE[error.code].http, refusal(error));
  }
  return true;
}

/** The project or workspace that the page shows; on a fleet node, the first repository until one is chosen. */
async function shownProject(engine: Engine, chosen: string | undefined, workspace: string | null): Promise<string> {
  const served = chosen ?? workspace;
  if (served === null) throw toEngineError(new Error('This server serves no project.'));
  if (!engine.hasLocalFiles && (parseScope(served) || chosen === undefined))
    return (await engine.members(served))[0]!.root;
  if (parseScope(served)) return served;
  // A fleet node identifies repositories by name.
  return engine.hasLocalFiles || workspace === null ? served : resolve(workspace, served);
}

type Handler = (call: ApiCall, body: unknown) => Promise<unknown>;

function handler(method: string | undefined, name: string): Handler | null {
  if (method === 'GET' && Object.hasOwn(ANSWERS, name)) return ANSWERS[name as keyof typeof ANSWERS];
  if (method === 'POST' && Object.hasOwn(CHANGES, name)) return CHANGES[name as keyof typeof CHANGES];
  return null;
}

function refusal({ code, message, fix }: EngineError): Refused {
  return { error: { code, message, fix } };
}

/** Spells out hidden characters. In the content of a file, whose positions must stay, the page does that itself. */
function visible(answer: unknown): unknown {
  if (!isRecord(answer) || typeof answer.content !== 'string' || !('outline' in answer)) return revealIn(answer);
  const { content, ...rest } = answer;
  return { ...revealIn(rest), content };
}

function send(response: ServerResponse, status: number, answer: unknown): void {
  if (response.destroyed) return;
  const text = JSON.stringify(answer);
  response.writeHead(status, { ...HEADERS, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}
