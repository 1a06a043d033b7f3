/** The subject of a request, identified by its token. A call without a subject sees nothing. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { EngineError } from '../../model/records/engine-errors.ts';

export interface Subject {
  readonly name: string;
  readonly groups: ReadonlySet<string>;
}

const current = new AsyncLocalStorage<Subject>();

export function currentSubject(): Subject | null {
  return current.getStore() ?? null;
}

export function asSubject<T>(subject: Subject, work: () => Promise<T>): Promise<T> {
  return current.run(subject, work);
}

const MIN_TOKEN_LENGTH = 16;

/** Subjects by the digest of their token: a lookup takes the same time for every wrong token. */
export type Tokens = ReadonlyMap<string, Subject>;

/**
 * Reads lines of `NAME TOKEN GROUP,GROUP`; # begins a comment. Throws invalid_input if others can read the file or a
 * line is malformed.
 */
export function readTokens(file: string): Tokens {
  const invalid = (reason: string) =>
    new EngineError('invalid_input', { reason: `The file of tokens ${file} ${reason}` });
  const tokens = new Map<string, Subject>();
  readPrivate(file)
    .split('\n')
    .forEach((line, i) => {
      const [name, token, groups = '', ...more] = line
        .replace(/(?:^|\s)#.*$/, '')
        .trim()
        .split(/\s+/);
      if (!name) return;
      if (!token || token.length < MIN_TOKEN_LENGTH || more.length > 0)
        throw invalid(
          `has a line ${i + 1} that is not "NAME TOKEN GROUP,GROUP" with ${MIN_TOKEN_LENGTH} characters of token.`,
        );
      tokens.set(digest(token), { name, groups: new Set(groups.split(',').filter((group) => group !== '')) });
    });
  if (tokens.size === 0) throw invalid('names nobody.');
  return tokens;
}

/** Reads the only line of a file. Throws invalid_input if others can read the file or the secret is too short. */
export function readSecret(file: string): string {
  const secret = readPrivate(file).trim();
  if (secret.length >= MIN_TOKEN_LENGTH && !secret.includes('\n')) return secret;
  const reason = `The file ${file} must hold one line with at least ${MIN_TOKEN_LENGTH} characters.`;
  throw new EngineError('invalid_input', { reason });
}

function readPrivate(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const mode = fstatSync(handle).mode & 0o777;
    if (process.platform === 'win32' || (mode & 0o077) === 0) return readFileSync(handle, 'utf8');
    const fix = 'write a new secret after `chmod 600`.';
    const reason = `The file ${file} can be read by other users (mode ${mode.toString(8)}): ${fix}`;
    throw new EngineError('invalid_input', { reason });
  } finally {
    closeSync(handle);
  }
}

export function bearerOf(authorization: string | undefined): string | null {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

export function subjectOf(tokens: Tokens, authorization: string | undefined): Subject | null {
  const token = bearerOf(authorization);
  return token === null ? null : (tokens.get(digest(token)) ?? null);
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
