/** URLs of the page: `#/view?name=value`. The current project and ref are part of every URL. */

export interface Address {
  readonly view: string;
  readonly parameters: URLSearchParams;
}

/** Parameters that every URL repeats. */
const SHARED_PARAMETERS = ['project', 'ref'];

export function to(view: string, parameters: Readonly<Record<string, string>> = {}, here = currentHash()): string {
  const shared = fromHash(here, null).parameters;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== '') query.set(name, value);
  for (const name of SHARED_PARAMETERS)
    if (!(name in parameters) && shared.has(name)) query.set(name, shared.get(name)!);
  return `#/${view}${query.size > 0 ? `?${query}` : ''}`;
}

export function fileAddress(path: string, lines = ''): string {
  return to('file', { path, lines });
}

/** Parses a URL fragment. An unknown view becomes the first one; with null `views`, every name is accepted. */
export function fromHash(hash: string, views: Readonly<Record<string, unknown>> | null): Address {
  const [, view = '', query = ''] = /^#\/([\w-]*)(?:\?(.*))?$/s.exec(hash) ?? [];
  const known = views === null || Object.hasOwn(views, view);
  return { view: known ? view : '', parameters: new URLSearchParams(known ? query : '') };
}

/** The page's URL fragment; '' without a browser, as in tests. */
export function currentHash(): string {
  return (globalThis as { location?: { readonly hash: string } }).location?.hash ?? '';
}
