/** Serves one profile under one path: sessions for clients up to 2025-11-25, independent requests for 2026-07-28. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { isRecord } from '../../model/runtime/is-record.ts';
import type { ProfileHost } from '../host.ts';
import { ProfileServer } from '../profile-server.ts';
import { sendError } from './http-errors.ts';
import { readHttpSubscription, serveListen } from './http-listen.ts';
import { HttpSessions, type SessionLimits } from './http-sessions.ts';
import { HEADER_MISMATCH, paramHeaderMismatch } from './param-headers.ts';

export interface Endpoint {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  readonly sessionCount: number;
  close(): Promise<void>;
}

export function createEndpoint(host: ProfileHost, limits: SessionLimits): Endpoint {
  const sessions = new HttpSessions(host, limits);
  const onerror = (error: Error) => host.log('debug', 'http', { profile: host.profile.name, error: error.message });
  const modern = createMcpHandler(() => new ProfileServer(host, 'modern'), { legacy: 'reject', onerror });
  const handleModern = toNodeHandler(modern, { onerror });
  const stopListening = host.profile.tools.onChange(() => modern.notify.toolsChanged());
  return {
    get sessionCount() {
      return sessions.size;
    },
    async handle(request, response, body) {
      if (await isLegacyRequest(requestHead(request), body)) return sessions.handle(request, response, body);
      const subscription = readHttpSubscription(request, body);
      if (subscription) return serveListen(host, subscription, response);
      const mismatch = checkParamHeaders(host, request, body);
      if (mismatch) return sendError(response, 400, HEADER_MISMATCH, `Header and body disagree: ${mismatch}.`, body);
      await handleModern(request, response, body);
    },
    async close() {
      stopListening();
      await Promise.allSettled([modern.close(), sessions.close()]);
      await host.profile.stop?.();
    },
  };
}

/** A request with method and headers only: with the parsed body, the SDK needs no more to tell the eras apart. */
function requestHead({ method = 'GET', headers }: IncomingMessage): Request {
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) copy.set(name, String(value));
  return new Request('http://localhost/', { method, headers: copy });
}

function checkParamHeaders(host: ProfileHost, request: IncomingMessage, body: unknown): string | null {
  if (!isRecord(body) || body.method !== 'tools/call' || !isRecord(body.params)) return null;
  const tool = host.profile.tools.get(String(body.params.name));
  return tool ? paramHeaderMismatch(tool, body.params.arguments, request.headers) : null;
}
