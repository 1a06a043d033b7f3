/**
 * The answers of earlier rounds of a call, which the client carries between rounds (2026-07-28): signed, bound to the
 * call, short-lived.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { RpcError } from '../../contracts/index.ts';
import { isRecord } from '../../model/runtime/is-record.ts';

const LIFETIME_MS = 10 * 60 * 1000;

export interface RoundState {
  readonly answers: Readonly<Record<string, unknown>>;
}

/** A digest of the call that the state is bound to: the state is invalid with another method or other arguments. */
export function callDigest(method: string, params: Record<string, unknown>): string {
  const { name, uri, arguments: args } = params;
  return createHash('sha256')
    .update(JSON.stringify([method, name ?? uri ?? null, args ?? null]))
    .digest('base64url');
}

export function sealState(key: Uint8Array, digest: string, state: RoundState): string {
  const body = Buffer.from(JSON.stringify({ ...state, digest, expires: Date.now() + LIFETIME_MS })).toString(
    'base64url',
  );
  return `${body}.${sign(key, body)}`;
}

export function openState(key: Uint8Array, digest: string, text: string): RoundState {
  const [body, signature] = text.split('.');
  if (body !== undefined && signature !== undefined && isEqual(signature, sign(key, body))) {
    const state: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
    if (isRecord(state) && state.digest === digest && Number(state.expires) > Date.now() && isRecord(state.answers))
      return { answers: state.answers };
  }
  throw new RpcError(-32602, 'Invalid or expired requestState', { reason: 'invalid_request_state' });
}

function sign(key: Uint8Array, body: string): string {
  return createHmac('sha256', key).update(body).digest('base64url');
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
