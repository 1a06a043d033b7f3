/** The server's token, if it requires one. Stored for this tab only. */
const KEY = 'sextant.token';

export function setToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

/** Reads the token from the URL that the server printed and removes it from the address bar and the history. */
export function takeToken(): boolean {
  const [, token] = /^#token=([\x21-\x7e]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return false;
  setToken(decodeURIComponent(token));
  history.replaceState(null, '', `${location.pathname}#/`);
  return true;
}

/** Null if the server requires no token, or none was entered yet. */
export function tokenOfTab(): string | null {
  return sessionStorage.getItem(KEY);
}
