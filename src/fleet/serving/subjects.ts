/**
 * Who asks. A request carries a token; whatever it does is done on behalf of the subject that the token belongs to. A
 * call without a subject sees nothing.
 */
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

/** Subjects by the digest of their token: looking one up takes the same time for every wrong token. */
export type Tokens = ReadonlyMap<string, Subject>;

/**
 * Lines of `NAME TOKEN GROUP,GROUP`; # begins a comment. Throws invalid_input where others could read the file, or a
 * line is not like that.
 */
export function readTokens(file: string): Tokens {
  const invalid = (reason: string) =>
    new EngineError('invalid_input', { reason: `The file of tokens ${file} ${reason}` });
  const handle = openSync(file, 'r');
  try {
    const { mode } = fstatSync(handle);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw invalid(
        `can be read by other users (mode ${(mode & 0o777).toString(8)}): write new tokens after \`chmod 600\`.`,
      );
    const tokens = new Map<string, Subject>();
    readFileSync(handle, 'utf8')
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
  } finally {
    closeSync(handle);
  }
}

export function subjectOf(tokens: Tokens, authorization: string | undefined): Subject | null {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return token === undefined ? null : (tokens.get(digest(token)) ?? null);
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
