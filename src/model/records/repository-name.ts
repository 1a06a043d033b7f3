/** The name of a repository: its host and path. A query node also stores the repository in a folder of that name. */
import { EngineError } from './engine-errors.ts';

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/**
 * "https://github.com/acme/billing.git" and "git@github.com:acme/billing" are both "github.com/acme/billing". Throws
 * invalid_input.
 */
export function nameOfUrl(url: string): string {
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(url);
  const rest = scp ? `${scp[1]}/${scp[2]}` : url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^[^/]*@/, '');
  const segments = rest
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter((segment) => segment !== '');
  // The name has no port.
  if (segments[0]) segments[0] = segments[0].replace(/:\d+$/, '').toLowerCase();
  return checkedName(segments.join('/'));
}

/** Whether a text is the address of a remote and cannot be a path of the file system. */
export function isRepositoryUrl(text: string): boolean {
  return /^(?:https?|ssh|git|file):\/\/|^[\w.-]+@[\w.-]+:/i.test(text);
}

/** Removes the credentials from all addresses in a text. */
export function withoutCredentials(text: string): string {
  return text.replace(/:\/\/[^\s'"]*/g, (rest) => {
    const query = rest.indexOf('?');
    const address = query < 0 ? rest : rest.slice(0, query);
    const at = address.split('/', 3)[2]!.lastIndexOf('@');
    return `://${at < 0 ? '' : '***@'}${address.slice(at + 4)}${query < 0 ? '' : '?***'}`;
  });
}

/** Returns the name. Throws invalid_input for one that could not be a folder on every system. */
export function checkedName(name: string): string {
  const segments = name.split('/');
  if (segments.every((segment) => SEGMENT.test(segment))) return name;
  const reason =
    `${JSON.stringify(name)} cannot be a repository's name: letters, digits, ".", "_" and "-", with "/" between ` +
    'parts. Pass one with --name.';
  throw new EngineError('invalid_input', { reason });
}
