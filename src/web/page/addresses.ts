/** The addresses of this page: which view, and of what. */

/** An address of this page. */
export function to(view: string, parameters: Readonly<Record<string, string>> = {}): string {
  const words = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  return words.size === 0 ? `#/${view}` : `#/${view}?${words}`;
}

/** Which of the views an address of this page names; the first one, named by nothing, where it names none. */
export function fromHash(hash: string, views: object): { readonly view: string; readonly parameters: URLSearchParams } {
  const [, view = '', words = ''] = /^#\/(\w*)\??(.*)$/.exec(hash) ?? [];
  return { view: Object.hasOwn(views, view) ? view : '', parameters: new URLSearchParams(words) };
}

/** Where a place of the project is shown: "src/a.ts" and "10-20". */
export function fileAddress(path: string, lines = ''): string {
  return to('file', { path, lines });
}
