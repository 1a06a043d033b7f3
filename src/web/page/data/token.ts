/** The server's token, where it wants one. Kept for this tab only. */
const KEY = 'sextant.token';

export function setToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

/**
 * Takes the token out of an address that the server printed; afterwards neither the address bar nor the history has it.
 */
export function takeToken(): boolean {
  const [, token] = /^#token=([\x21-\x7e]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return false;
  setToken(decodeURIComponent(token));
  history.replaceState(null, '', `${location.pathname}#/`);
  return true;
}

/** Null where the server wants none, or none was given yet. */
export function tokenOfTab(): string | null {
  return sessionStorage.getItem(KEY);
}
