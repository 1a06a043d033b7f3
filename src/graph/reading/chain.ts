/**
 * Parses an expression as a chain: `this.auth.refresh(token).user` has the links this, auth, refresh (called), user.
 */
import { closingOf, stringEnd } from '../../languages/runtime/reading/split.ts';

export interface Link {
  readonly name: string;
  /** The link is called, or constructed with braces. */
  readonly called: boolean;
  /** The link is indexed: `items[0]`. */
  readonly indexed: boolean;
  /** A question mark follows the link. */
  readonly isOptional: boolean;
}

export interface Chain {
  readonly links: readonly Link[];
  readonly awaited: boolean;
  /** The chain follows `new`. */
  readonly constructed: boolean;
  /** `x as T`, `(T) x`: the type of the cast. */
  readonly cast: string;
}

const LITERAL = /^(?:["'`\d]|true\b|false\b|null\b|nil\b|None\b|\[|\{)/;
const NAME = /[\p{L}\p{N}_$@]/u;

/** Null for an expression that is no chain. */
export function readChain(expression: string): Chain | null {
  let text = expression.trim();
  let awaited = false;
  let constructed = false;
  for (let i = 0; i < 8; i++) {
    const lead = /^(?:(await|try[?!]?|yield|new|return|const|move|co_await|unsafe)\b\s*|[&*!]+(?:mut\s+)?)/.exec(text);
    if (!lead) break;
    // `new.target` and a variable called `new` are no constructions.
    if ((lead[1] === 'new' || lead[1] === 'const') && /^[.(]/.test(text.slice(lead[0].length))) break;
    if (lead[1] === 'await' || lead[1] === 'co_await') awaited = true;
    if (lead[1] === 'new') constructed = true;
    text = text.slice(lead[0].length);
  }
  if (text.startsWith('(')) {
    const close = closingOf(text, 0);
    if (close < 0) return null;
    const inner = text.slice(1, close);
    const rest = text.slice(close + 1);
    const cast = /^\s*([A-Z][\w.<>[\]*]*|[a-z]\w*\.[A-Z]\w*)\s*$/.exec(inner);
    // `(Type) value` casts; `(value).member` only groups.
    if (cast && /^\s*[\w(]/.test(rest)) return { links: [], awaited, constructed, cast: cast[1]! };
    const grouped = readChain(inner);
    if (!grouped) return null;
    const tail = rest.trim() === '' ? [] : readLinks(rest.replace(/^\s*(?:\?\.|!\.|\.|->|::)/, ''));
    return tail ? { ...grouped, links: [...grouped.links, ...tail], awaited: awaited || grouped.awaited } : null;
  }
  if (LITERAL.test(text)) return null;
  const cast = /^(.*?)\s+as[?!]?\s+([\w.:<>[\]\\&*\s]+)$/s.exec(text);
  if (cast) return { links: [], awaited, constructed, cast: cast[2]!.trim() };
  const links = readLinks(text);
  return links && links.length > 0 ? { links, awaited, constructed, cast: '' } : null;
}

function readLinks(text: string): Link[] | null {
  const links: Link[] = [];
  let at = 0;
  const skipSpace = () => {
    while (at < text.length && /\s/.test(text[at]!)) at++;
  };
  while (at < text.length) {
    skipSpace();
    const start = at;
    while (at < text.length && NAME.test(text[at]!)) at++;
    // Ruby and Elixir names may end with a mark.
    if (at > start && /[?!]/.test(text[at] ?? '') && text[at + 1] === '(') at++;
    const name = text.slice(start, at);
    if (name === '') return null;
    let called = false;
    let indexed = false;
    let isOptional = false;
    for (;;) {
      const c = text[at];
      if (c === '(') {
        const close = closingOf(text, at);
        if (close < 0) return null;
        called = true;
        at = close + 1;
      } else if (c === '[') {
        const close = closingOf(text, at);
        if (close < 0) return null;
        // Type arguments in Go and Scala look like an index.
        if (/^\s*[({]/.test(text.slice(close + 1)) && !called) called = true;
        else indexed = true;
        at = close + 1;
      } else if (c === '<' || (c === ':' && text.startsWith('::<', at))) {
        const close = angleEnd(text, text.indexOf('<', at));
        if (close < 0) return null;
        at = close + 1;
      } else if (c === '{' || (c === ' ' && /^\s+\{/.test(text.slice(at)))) {
        const open = text.indexOf('{', at);
        const close = closingOf(text, open);
        called = true;
        at = close < 0 ? text.length : close + 1;
      } else if (c === '!' || (c === '?' && text[at + 1] !== '.' && text[at + 1] !== '-' && text[at + 1] !== ':')) {
        isOptional ||= c === '?';
        at++;
      } else if (c === '"' || c === "'" || c === '`') {
        // Lua and tagged templates: a call without brackets.
        const end = stringEnd(text, at);
        if (end === at) return null;
        called = true;
        at = end + 1;
      } else break;
    }
    links.push({ name, called, indexed, isOptional: isOptional || /^\s*\?\./.test(text.slice(at)) });
    skipSpace();
    if (at >= text.length) break;
    const separator = /^(?:\?\.|!\.|\?->|->|::|\.|\\|:(?=\w))\s*/.exec(text.slice(at));
    if (!separator) return null;
    at += separator[0].length;
  }
  return links;
}

function angleEnd(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '<') depth++;
    else if (text[i] === '>' && text[i - 1] !== '-' && text[i - 1] !== '=' && --depth === 0) return i;
    else if (/[;{}]/.test(text[i]!)) return -1;
  }
  return -1;
}
