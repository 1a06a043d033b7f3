/** The colour scheme: the system's, unless the user has chosen one. */
const KEY = 'sextant.scheme';

export type Scheme = 'auto' | 'light' | 'dark';

export function chosenScheme(): Scheme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'auto';
}

export function applyScheme(scheme: Scheme): void {
  if (scheme === 'auto') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, scheme);
  document.documentElement.dataset.scheme = scheme;
}
