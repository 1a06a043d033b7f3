/** Where things are on the page: `#/view?name=value`. The project and the ref that are read stay in every address. */

export interface Address {
  readonly view: string;
  readonly parameters: URLSearchParams;
}

/** Parameters that every address carries on. */
const KEPT = ['project', 'ref'];

export function to(view: string, parameters: Readonly<Record<string, string>> = {}, here = currentHash()): string {
  const kept = fromHash(here, null).parameters;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== '') query.set(name, value);
  for (const name of KEPT) if (!(name in parameters) && kept.has(name)) query.set(name, kept.get(name)!);
  return `#/${view}${query.size > 0 ? `?${query}` : ''}`;
}

export function fileAddress(path: string, lines = ''): string {
  return to('file', { path, lines });
}

/** An unknown view is the first one; with `views` null every name is a view. */
export function fromHash(hash: string, views: Readonly<Record<string, unknown>> | null): Address {
  const [, view = '', query = ''] = /^#\/([\w-]*)(?:\?(.*))?$/s.exec(hash) ?? [];
  const known = views === null || Object.hasOwn(views, view);
  return { view: known ? view : '', parameters: new URLSearchParams(known ? query : '') };
}

/** Of the page; '' where there is none, as in tests. */
export function currentHash(): string {
  return (globalThis as { location?: { readonly hash: string } }).location?.hash ?? '';
}
