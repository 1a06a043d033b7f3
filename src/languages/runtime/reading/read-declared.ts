/** Does a line declare a name, and what does it say of it? Told by what stands before and after the name, by each language's rules. */
import type { Traits } from '../../name-rules.ts';
import { findTop } from './split.ts';

export interface Declared {
  /** '' where none is written. */
  readonly type: string;
  /** The expression that it is set to, '' where there is none. */
  readonly value: string;
  /** It is an element of the value: the variable of a loop. */
  readonly element: boolean;
  /** Index in the list of results that are taken apart: `b` in `a, b := f()` is 1. */
  readonly part: number;
  /** Declared in the head of a block, and in force inside of it only. */
  readonly inner?: true;
}

/** Null where the name is only used. */
export type ReadDeclared = (before: string, after: string) => Declared | null;

const OPAQUE: Declared = { type: '', value: '', element: false, part: 0 };
const inner = (found: Declared): Declared => ({ ...found, inner: true });
const INNER = inner(OPAQUE);
const typed = (type: string): Declared => ({ ...OPAQUE, type: type.trim() });
const valued = (value: string, part = 0): Declared => ({ ...OPAQUE, value: cutValue(value), part });
const element = (value: string): Declared => ({ ...OPAQUE, value: cutValue(value), element: true });

export function readerOf(language: string, traits: Traits): ReadDeclared {
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

/** Up to the end of the statement. */
export function cutValue(text: string): string {
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

const readScript: ReadDeclared = (before, after) => {
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

const readPython: ReadDeclared = (before, after) => {
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

const readGo: ReadDeclared = (before, after) => {
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

const readRust: ReadDeclared = (before, after) => {
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

const innerIfHead = (before: string, found: Declared): Declared =>
  /\b(?:if|while|match|for)\b/.test(before) ? inner(found) : found;

const WORDS =
  /\b(?:return|throw|throws|else|new|case|goto|delete|yield|await|in|is|as|package|import|using|extends|implements|instanceof|assert|typeof|sizeof|not|and|or|co_return|co_yield|operator|namespace|default|do|goto|break|continue)\s*[*&]*\s*$/;

const readTypeFirst: ReadDeclared = (before, after) => {
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
function constructed(type: string, after: string, lead: string): Declared | null {
  return /\)\s*;\s*$/.test(after) && /^\s*(?:static\s+|const\s+)*$/.test(lead) ? typed(type) : null;
}

const readColon: ReadDeclared = (before, after) => {
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

const readPhp: ReadDeclared = (before, after) => {
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

const readAssigned: ReadDeclared = (before, after) => {
  const value = /^\s*(?:\|\|)?=(?![=>~])(.*)$/s.exec(after)?.[1];
  if (value !== undefined && /(?:^|[\s;(])(?:local\s+)?$/.test(before)) return valued(value);
  if (/\|[^|]*$/.test(before) && /^[^|]*\|/.test(after) && /(?:\{|\bdo)\s*\|[^|]*$/.test(before)) return OPAQUE;
  if (/\bfor\s+[\w\s,]*$/.test(before) && /^[\w\s,]*(?:\bin\b|<-|=)/.test(after)) return OPAQUE;
  if (/\b(?:local|fn)\s+[\w\s,]*$/.test(before)) return OPAQUE;
  return /\bfunction\s*\([^()]*$/.test(before) ? OPAQUE : null;
};
