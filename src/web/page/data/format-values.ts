/** Formats numbers, times and names for people. */

export function count(value: number): string {
  return value.toLocaleString('en');
}

/** Shortens "github.com/gin-gonic/gin" to "gin"; an npm scope stays: "@vue/core". */
export function shortName(name: string): string {
  const parts = name.split('/');
  return parts.length < 2 || name.startsWith('@') ? name : parts.at(-1) || name;
}

/** "1 line", "2,000 lines". */
export function plural(amount: number, word: string): string {
  return `${count(amount)} ${word}${amount === 1 ? '' : 's'}`;
}

/** A short number: "12k", "3.4M". */
export function short(value: number): string {
  if (value < 1000) return String(value);
  const [size, unit] = value < 1e6 ? [1e3, 'k'] : [1e6, 'M'];
  const amount = value / size;
  return `${amount < 10 ? amount.toFixed(1).replace(/\.0$/, '') : Math.round(amount)}${unit}`;
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  return value < 1024 ** 2 ? `${Math.round(value / 1024)} KB` : `${(value / 1024 ** 2).toFixed(1)} MB`;
}

export function duration(ms: number): string {
  if (ms < 1) return '<1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function ago(dateMs: number, nowMs = Date.now()): string {
  const seconds = Math.max(0, Math.round((nowMs - dateMs) / 1000));
  for (const [size, name] of [
    [365 * 86_400, 'year'],
    [30 * 86_400, 'month'],
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ] as const) {
    const amount = Math.floor(seconds / size);
    if (amount > 0) return `${amount} ${name}${amount === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}

export function day(dateMs: number): string {
  return new Date(dateMs).toISOString().slice(0, 10);
}
