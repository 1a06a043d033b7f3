/** Elements from words. Children are nodes or text: nothing is ever parsed as markup, so nothing in a project can become any. */
export type Child = Node | string | null | false | undefined;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | null>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

export function count(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('en') : String(value ?? '');
}

/** "1 line", "2,000 lines". */
export function plural(amount: unknown, word: string): string {
  return `${count(amount)} ${word}${amount === 1 ? '' : 's'}`;
}

export function ago(date: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(date)) / 1000));
  for (const [size, name] of [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ] as const) {
    const amount = Math.floor(seconds / size);
    if (amount > 0) return `${amount} ${name}${amount === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}
