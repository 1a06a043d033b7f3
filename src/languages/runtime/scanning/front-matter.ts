export interface FrontMatter {
  /** The number of its lines, 0 for none. */
  readonly end: number;
  readonly title: string;
  /** Lower case. */
  readonly tags: readonly string[];
}

const MAX_LIST_LINES = 200;
const TAG_KEYS = /^(?:tags?|keywords?|categories|category|labels?)$/i;

/**
 * Reads the YAML (`---`) or TOML (`+++`) front matter of a document. Only titles and tags are read, so patterns match
 * their few forms; a broken block must not cost the document.
 */
export function frontMatter(lines: readonly string[]): FrontMatter {
  const fence = lines[0]?.trimEnd() ?? '';
  if (fence !== '---' && fence !== '+++') return { end: 0, title: '', tags: [] };
  let close = 1;
  while (close < lines.length && lines[close]!.trimEnd() !== fence && lines[close]!.trimEnd() !== '...') close++;
  if (close === lines.length || !/^[\w"'-]+\s*[:=]|^\[|^#/.test(lines.slice(1).find((l) => l.trim()) ?? '')) {
    return { end: 0, title: '', tags: [] };
  }
  let title = '';
  const tags = new Set<string>();
  for (let i = 1; i < close; i++) {
    const pair = /^(["']?)([\w-]+)\1\s*[:=]\s*(.*)$/.exec(lines[i]!);
    if (!pair) continue;
    const value = pair[3]!.trim();
    if (/^title$/i.test(pair[2]!)) title = unquote(value);
    else if (TAG_KEYS.test(pair[2]!)) for (const tag of listValue(lines, i, close, value)) tags.add(tag);
  }
  return { end: close + 1, title, tags: [...tags] };
}

function listValue(lines: readonly string[], line: number, close: number, value: string): string[] {
  let items: string[];
  if (value.startsWith('[')) {
    const rest = value.includes(']') ? [] : lines.slice(line + 1, Math.min(close, line + 1 + MAX_LIST_LINES));
    const last = rest.findIndex((each) => each.includes(']'));
    const text = [value, ...rest.slice(0, last < 0 ? undefined : last + 1)].join(' ');
    items = text.slice(1).split(']', 1)[0]!.split(',');
  } else if (value === '') {
    items = [];
    for (let i = line + 1; i < close; i++) {
      const item = /^\s*-\s+(.*)$/.exec(lines[i]!);
      if (!item) break;
      items.push(item[1]!);
    }
  } else {
    items = unquote(value).split(',');
  }
  return items.map((item) => unquote(item.trim()).toLowerCase()).filter((item) => item !== '' && item.length <= 60);
}

function unquote(text: string): string {
  const match = /^(["'])(.*)\1$/.exec(text);
  return (match ? match[2]! : text).replace(/^#/, '').trim();
}
