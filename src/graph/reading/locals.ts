/**
 * What a local name stands for at a line: the nearest declaration above it inside its function, read as text. Types and first values are
 * kept as they are written; a name that is declared without saying what it is stays opaque, and hides whatever is called like it outside.
 */
import type { Traits } from '../traits.ts';
import { findTop } from './split.ts';

export interface LocalValue {
  /** '' where none is written. */
  readonly type: string;
  /** The expression that it is set to, '' where there is none. */
  readonly value: string;
  /** It is an element of the value: the variable of a loop. */
  readonly element: boolean;
  /** Index in the list of results that are taken apart: `b` in `a, b := f()` is 1. */
  readonly part: number;
  readonly line: number;
}

/** `inner`: declared in the head of a block, and in force inside of it only. */
type Found = Omit<LocalValue, 'line'> & { readonly inner?: true };
const OPAQUE: Found = { type: '', value: '', element: false, part: 0 };
const inner = (found: Found): Found => ({ ...found, inner: true });
const INNER = inner(OPAQUE);
const typed = (type: string): Found => ({ ...OPAQUE, type: type.trim() });
const valued = (value: string, part = 0): Found => ({ ...OPAQUE, value: cutValue(value), part });
const element = (value: string): Found => ({ ...OPAQUE, value: cutValue(value), element: true });

type Reader = (before: string, after: string) => Found | null;

/**
 * Lines are 1-based; the declaration is searched from `line` up to `first`. Blocks are told by their indentation: what is declared deeper than
 * a line in between has gone out of force. In Python blocks end nothing.
 */
export function findLocal(
  lines: readonly string[],
  first: number,
  line: number,
  column: number,
  name: string,
  language: string,
  traits: Traits,
): LocalValue | null {
  const read = readerOf(language, traits);
  const blocks = language !== 'python' && language !== 'lua' && language !== 'ruby';
  let least = Number.POSITIVE_INFINITY;
  for (let at = Math.min(line, lines.length); at >= Math.max(1, first); at--) {
    const text = lines[at - 1]!;
    const depth = blocks ? indentOf(text) : 0;
    if (blocks && (depth < 0 || depth > least)) continue;
    if (text.includes(name)) {
      const end = at === line ? column - 1 : text.length;
      // In PHP the sign belongs to the name.
      const found =
        language === 'php'
          ? findOnLine(text, end, `$${name}`, (before, after) => read(`${before}$`, after))
          : findOnLine(text, end, name, read);
      const isOpen = at === line || !found?.inner || !blocks || depth < least || /=>\s*$/.test(text);
      if (found && isOpen) return { ...complete(found, lines, at), line: at };
    }
    if (depth < least) least = depth;
  }
  return null;
}

/** Is what a line declares still in force at another line? */
export function inForce(lines: readonly string[], declared: number, line: number): boolean {
  const depth = indentOf(lines[declared - 1] ?? '');
  if (depth <= 0) return true;
  for (let at = Math.min(declared, line) + 1; at < Math.max(declared, line); at++) {
    const other = indentOf(lines[at - 1]!);
    if (other >= 0 && other < depth) return false;
  }
  const own = indentOf(lines[line - 1] ?? '');
  return own < 0 || own >= depth;
}

/** Width of the white space before a line's text, -1 for a blank line; tabs count as one. */
export function indentOf(text: string): number {
  let i = 0;
  while (i < text.length && (text[i] === ' ' || text[i] === '\t')) i++;
  return i === text.length || text[i] === '\r' ? -1 : i;
}

function findOnLine(text: string, end: number, name: string, read: Reader): Found | null {
  let result: Found | null = null;
  for (let at = text.indexOf(name); at >= 0 && at < end; at = text.indexOf(name, at + 1)) {
    if (isWord(text[at - 1]) || isWord(text[at + name.length])) continue;
    const found = read(text.slice(0, at), text.slice(at + name.length));
    // Of two on one line the later one is meant.
    if (found) result = found;
  }
  return result;
}

function isWord(c: string | undefined): boolean {
  return c !== undefined && /[\w$]/.test(c);
}

const MAX_VALUE_LINES = 24;

/** Values often go on: after an opening bracket or the sign of assignment itself, and with calls that begin the next line. */
function complete(found: Found, lines: readonly string[], line: number): Found {
  if (found.type !== '' || found.element) return found;
  const assigned = found.value === '' && /(?:[^=!<>]=|:=)\s*$/.test(lines[line - 1]!);
  if (found.value === '' && !assigned) return found;
  let value = found.value;
  for (let next = line; next < Math.min(lines.length, line + MAX_VALUE_LINES); next++) {
    const text = lines[next]!.trim();
    const goesOn = value === '' || open(value) > 0 || /^(?:\?\.|\.|->|::)\w/.test(text);
    if (!goesOn) break;
    value += ` ${text}`;
    if (text === '' && open(value) <= 0) break;
  }
  return value === found.value ? found : { ...found, value: cutValue(value) };
}

function open(text: string): number {
  let depth = 0;
  for (const c of text) {
    if (c === '(' || c === '[' || c === '{') depth++;
    else if (c === ')' || c === ']' || c === '}') depth--;
  }
  return depth;
}

/** Up to the end of the statement. */
function cutValue(text: string): string {
  const plain = text.trim();
  const stop = findTop(plain, ';');
  let value = stop < 0 ? plain : plain.slice(0, stop);
  value = value.replace(/\s+(?:\/\/|#\s|--\s).*$/, '').replace(/\s+(?:else|or die|or return|catch|orelse)\b.*$/s, '');
  // A bracket that closes what stands before the value ends it.
  let depth = 0;
  for (let i = 0; i < value.length; i++) {
    const c = value[i]!;
    if (c === '(' || c === '[' || c === '{') depth++;
    else if ((c === ')' || c === ']' || c === '}') && --depth < 0) return value.slice(0, i).trim();
    else if (c === ',' && depth === 0) return value.slice(0, i).trim();
  }
  return value.trim();
}

/** A type goes on until a comma, a closing bracket, an assignment or the body. */
function typeBefore(text: string, stops: string): string {
  const stop = findTop(text, stops);
  let type = (stop < 0 ? text : text.slice(0, stop)).trim();
  let depth = 0;
  for (let i = 0; i < type.length; i++) {
    if ('([{'.includes(type[i]!)) depth++;
    else if (')]}'.includes(type[i]!) && --depth < 0) {
      type = type.slice(0, i);
      break;
    }
  }
  return type.trim();
}

function readerOf(language: string, traits: Traits): Reader {
  if (language === 'go') return readGo;
  if (language === 'rust') return readRust;
  if (language === 'python') return readPython;
  if (traits.family === 'script') return readScript;
  if (language === 'php') return readPhp;
  if (
    language === 'ruby' ||
    language === 'lua' ||
    language === 'elixir' ||
    language === 'bash' ||
    language === 'haskell'
  )
    return readAssigned;
  return traits.declares === 'type-name' ? readTypeFirst : readColon;
}

/** The bracket that is open at the end of a text. */
function opener(before: string): string {
  let depth = 0;
  for (let i = before.length - 1; i >= 0; i--) {
    const c = before[i]!;
    if (c === ')' || c === ']' || c === '}') depth++;
    else if ((c === '(' || c === '[' || c === '{') && --depth < 0) return c;
  }
  return '';
}

const readScript: Reader = (before, after) => {
  if (/(?:^|[^\w$.])(?:const|let|var|using)\s+$/.test(before)) {
    if (/^\s*of\b/.test(after)) return inner(element(after.replace(/^\s*of\b/, '')));
    if (/^\s*in\b/.test(after)) return INNER;
    const type = /^\s*!?\s*:(.*)$/s.exec(after)?.[1];
    if (type) return typed(typeBefore(type, '=;'));
    const value = /^\s*=(?!=)(.*)$/s.exec(after)?.[1];
    return value === undefined ? OPAQUE : valued(value);
  }
  if (/(?:const|let|var)\s*[{[][^=;]*$/.test(before) && !/^\s*:/.test(after)) return OPAQUE;
  if (/^\s*=>/.test(after) && !/[.\w]$/.test(before.trimEnd())) return INNER;
  if (/\bcatch\s*\(\s*$/.test(before)) return INNER;
  if (/[(,]\s*(?:(?:public|private|protected|readonly|override|\.\.\.)\s*)*$/.test(before) && opener(before) === '(') {
    const type = /^\??\s*:(.*)$/s.exec(after)?.[1];
    // `cond ? f(a, b) : c` has no parameters.
    if (type && !/\?[^:]*$/.test(before)) return inner(typed(typeBefore(type, ',=)')));
    if (/^\s*(?:,[^()]*)?(?:=[^>()]*)?\)\s*(?::[^=]+)?=>/.test(after)) return INNER;
    if (/\bfunction\b[^()]*\([^()]*$/.test(before)) return INNER;
  }
  if (/[{,]\s*(?:\.\.\.)?$/.test(before) && /^\s*(?:,[^{}]*)?\}\s*(?::[^=)]+)?[,)]?.*=>/.test(after)) return INNER;
  return null;
};

const readPython: Reader = (before, after) => {
  if (/^\s*$/.test(before)) {
    const type = /^\s*:(.*)$/s.exec(after)?.[1];
    if (type) return typed(typeBefore(type, '=#'));
    const value = /^\s*=(?!=)(.*)$/s.exec(after)?.[1];
    if (value !== undefined) return valued(value);
    return /^\s*,[^=]*=(?!=)/.test(after) ? OPAQUE : null;
  }
  if (/^\s*(?:\w+\s*,\s*)+$/.test(before) && /^\s*(?:,\s*\w+\s*)*=(?!=)/.test(after)) return OPAQUE;
  if (/\bas\s+$/.test(before)) {
    const value = /\bwith\s+(.*?)\s+as\s+$/.exec(before)?.[1];
    return value && /^\s*[:,]/.test(after) ? valued(value) : OPAQUE;
  }
  if (/\bfor\s+$/.test(before)) {
    const value = /^\s*in\b(.*?)(?::\s*)?$/s.exec(after)?.[1];
    return value ? element(value) : OPAQUE;
  }
  if (/\bfor\s+[\w\s,(]*$/.test(before) && /^[\w\s,)]*\bin\b/.test(after)) return OPAQUE;
  const walrus = /^\s*:=(.*)$/s.exec(after)?.[1];
  if (walrus) return valued(walrus);
  return /\blambda\b[^:]*$/.test(before) ? OPAQUE : null;
};

const readGo: Reader = (before, after) => {
  const list = /(?:^|[\s;{(])((?:[\w.]+\s*,\s*)*)$/.exec(before)?.[1] ?? null;
  if (list !== null) {
    const value = /^\s*(?:,\s*[\w.]+\s*)*:=(.*)$/s.exec(after)?.[1];
    if (value !== undefined) {
      const part = list.split(',').length - 1;
      const range = /^\s*range\b(.*?)\{?\s*$/s.exec(value)?.[1];
      if (range !== undefined) return inner(part === 1 ? element(range) : OPAQUE);
      const assertion = /\.\(([^)]*)\)\s*(?:[;{]|$)/.exec(value);
      if (assertion) return part > 0 || assertion[1] === 'type' ? OPAQUE : typed(assertion[1]!);
      const isHead = /^\s*(?:\}\s*else\s+)?(?:if|for|switch|case|select)\b/.test(before);
      const found = valued(
        value.replace(/\s*\{\s*$/, (tail) => (/^\s*(?:if|for|switch)\b/.test(before) ? '' : tail)),
        part,
      );
      return isHead ? inner(found) : found;
    }
  }
  if (/(?:^|\s)var\s+(?:\w+\s*,\s*)*$/.test(before)) {
    const rest = after.replace(/^(?:\s*,\s*\w+)*/, '');
    const value = /^\s*=(.*)$/s.exec(rest)?.[1];
    return value === undefined ? typed(typeBefore(rest, '=')) : valued(value);
  }
  // Parameters of function literals.
  if (/\bfunc\s*\([^()]*$/.test(before) && /[(,]\s*$/.test(before)) {
    const type = /^\s+([^,)]+)/.exec(after)?.[1];
    return inner(type ? typed(type) : OPAQUE);
  }
  return null;
};

const readRust: Reader = (before, after) => {
  if (/\blet\s+(?:mut\s+)?$/.test(before)) {
    const type = /^\s*:(?!:)(.*)$/s.exec(after)?.[1];
    if (type) return typed(typeBefore(type, '=;'));
    const value = /^\s*=(?!=)(.*)$/s.exec(after)?.[1];
    return value === undefined ? OPAQUE : valued(value);
  }
  const unpacked =
    /\blet\s+(?:Some|Ok|Err)\s*\(\s*(?:mut\s+|ref\s+)*$/.test(before) && /^\s*\)\s*=(?!=)(.*)$/s.exec(after)?.[1];
  if (unpacked) return innerIfHead(before, element(unpacked.replace(/\s*(?:\{|else\b).*$/s, '')));
  if (/\blet\b[^=]*$/.test(before)) return OPAQUE;
  if (/\bfor\s+(?:\(?[\w\s,&]*)$/.test(before)) {
    const value = /^\s*in\b(.*?)\{?\s*$/s.exec(after)?.[1];
    return inner(value ? element(value) : OPAQUE);
  }
  if (/\|[^|]*$/.test(before) && /^[^|]*\|/.test(after)) {
    const type = /^\s*:(?!:)(.*?)[,|]/.exec(after)?.[1];
    if (/(?:[(,=]|move)\s*\|[^|]*$/.test(before)) return inner(type ? typed(type) : OPAQUE);
  }
  return /^[^=]*=>/.test(after) && /[({,]\s*(?:ref\s+|mut\s+)*$/.test(before) ? INNER : null;
};

const innerIfHead = (before: string, found: Found): Found =>
  /\b(?:if|while|match|for)\b/.test(before) ? inner(found) : found;

const WORDS =
  /\b(?:return|throw|throws|else|new|case|goto|delete|yield|await|in|is|as|package|import|using|extends|implements|instanceof|assert|typeof|sizeof|not|and|or|co_return|co_yield|operator|namespace|default|do|goto|break|continue)\s*[*&]*\s*$/;

const readTypeFirst: Reader = (before, after) => {
  if (!/^\s*(?:[=;,:)({[]|in\b|of\b|=>|\s->|$)/.test(after) || /^\s*::/.test(after) || /^\s*==/.test(after))
    return null;
  if (/^\s+->/.test(after) || /^\s*=>/.test(after))
    return /[(,=\s]\s*$/.test(before) && !/\bcase\b/.test(before) ? INNER : null;
  if (/[(,]\s*$/.test(before) && /^\s*(?:,[\w\s,]*)?\)\s*(?:->|=>)/.test(after)) return INNER;
  const type =
    /((?:[A-Za-z_][\w]*(?:\.|::))*[A-Za-z_]\w*(?:\s*<[^;(){}=]*>)?(?:\s*\[\s*\])*\??(?:\s*(?:[*&]|const\b))*)\s*$/.exec(
      before,
    );
  if (!type || !/[\s*&>\]?]$/.test(before) || WORDS.test(before)) return null;
  const written = type[1]!.trim();
  const lead = before.slice(0, before.length - type[0].length);
  // `a.b c` and `f(x) y` are no declarations.
  if (/[.\w"')\]]$/.test(lead) && !/\s$/.test(lead)) return null;
  if (/^\s*\(/.test(after))
    return opener(lead) === '' && /^(?:auto|var)\b/.test(written) ? null : constructed(written, after, lead);
  if (/^(?:auto|var|final|const|late|let|dynamic|val|static)(?:\s|$|[*&])/.test(written)) {
    const loop = /^\s*(?::(?!:)|in\b)(.*?)\)/s.exec(after)?.[1];
    if (loop) return inner(element(loop));
    const value = /^\s*=(?!=)(.*)$/s.exec(after)?.[1];
    return value === undefined ? OPAQUE : valued(value);
  }
  if (/^(?:const|static|final)$/.test(written)) return null;
  return opener(lead) === '(' ? inner(typed(written)) : typed(written);
};

/** C++ `Type name(arguments);` declares a variable; elsewhere it is a function. */
function constructed(type: string, after: string, lead: string): Found | null {
  return /\)\s*;\s*$/.test(after) && /^\s*(?:static\s+|const\s+)*$/.test(lead) ? typed(type) : null;
}

const readColon: Reader = (before, after) => {
  if (
    /(?:^|[^\w.])(?:let|var|val|const|def|lazy\s+val)\s+(?:mut\s+)?$/.test(before) ||
    /\bcatch\s*\(\s*$/.test(before)
  ) {
    const type = /^\s*:(?!:)(.*)$/s.exec(after)?.[1];
    if (type) return typed(typeBefore(type, '={'));
    const value = /^\s*=(?!=)(.*)$/s.exec(after)?.[1];
    // `if let name {` takes its own value apart.
    return value === undefined
      ? /\b(?:if|guard|while)\s+(?:let|var)\s+$/.test(before)
        ? null
        : OPAQUE
      : valued(value.replace(/\s*\{\s*$/, (tail) => (/\b(?:if|guard|while)\b/.test(before) ? '' : tail)));
  }
  if (/(?:let|var|val|const)\s*\([^=)]*$/.test(before)) return OPAQUE;
  if (/\bfor\s*\(?\s*(?:let\s+|var\s+|case\s+let\s+)?$/.test(before)) {
    const value = /^\s*(?::[^i]*)?(?:in\b|<-)(.*?)[{)]?\s*$/s.exec(after)?.[1];
    return inner(value ? element(value) : OPAQUE);
  }
  if (/[|]\s*\*?$/.test(before) && /^\s*(?:,[^|]*)?\|/.test(after)) return INNER;
  if (/\{\s*(?:\[[^\]]*\]\s*)?\(?[\w\s,:?.]*$/.test(before) && /^[\w\s,:?.<>()]*(?:->|\bin\b|=>)/.test(after)) {
    const type = /^\s*:\s*([\w.<>?]+)/.exec(after)?.[1];
    return inner(type ? typed(type) : OPAQUE);
  }
  if (/[(,]\s*(?:\w+\s+)?$/.test(before) && opener(before) === '(' && /\b(?:func|fun|init|fn|def)\b/.test(before)) {
    const type = /^\s*:(.*)$/s.exec(after)?.[1];
    if (type) return inner(typed(typeBefore(type, ',=)')));
  }
  return /[(,\s]$/.test(before) && /^\s*=>/.test(after) && !/\bcase\b/.test(before) ? INNER : null;
};

const readPhp: Reader = (before, after) => {
  if (!before.endsWith('$')) return null;
  const lead = before.slice(0, -1);
  const value = /^\s*=(?![=>])(.*)$/s.exec(after)?.[1];
  if (value !== undefined && !/(?:->|::)$/.test(lead)) {
    const type = /(\??[\w\\|]+)\s+[&.]*$/.exec(lead)?.[1];
    return type && opener(lead) === '(' ? typed(type) : valued(value);
  }
  if (/\bas\s+(?:\$\w+\s*=>\s*)?&?$/.test(lead)) return OPAQUE;
  const type = /[(,]\s*((?:readonly\s+|private\s+|public\s+|protected\s+)*\??[\w\\|]+)\s+[&.]*$/.exec(lead)?.[1];
  return type && /^\s*[,)=]/.test(after) ? typed(type) : null;
};

const readAssigned: Reader = (before, after) => {
  const value = /^\s*(?:\|\|)?=(?![=>~])(.*)$/s.exec(after)?.[1];
  if (value !== undefined && /(?:^|[\s;(])(?:local\s+)?$/.test(before)) return valued(value);
  if (/\|[^|]*$/.test(before) && /^[^|]*\|/.test(after) && /(?:\{|\bdo)\s*\|[^|]*$/.test(before)) return OPAQUE;
  if (/\bfor\s+[\w\s,]*$/.test(before) && /^[\w\s,]*(?:\bin\b|<-|=)/.test(after)) return OPAQUE;
  if (/\b(?:local|fn)\s+[\w\s,]*$/.test(before)) return OPAQUE;
  return /\bfunction\s*\([^()]*$/.test(before) ? OPAQUE : null;
};
