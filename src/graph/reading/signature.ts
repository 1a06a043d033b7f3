/** Reads the parameters, the result and the declared type or value from a signature, a declaration without its body. */
import type { NameRules } from '../../languages/name-rules.ts';
import { closingOf, findTop, splitTop } from '../../languages/runtime/reading/split.ts';
import { escapePattern } from '../../model/text/escape-pattern.ts';

export interface Parameter {
  readonly name: string;
  /** '' where none is declared. */
  readonly type: string;
  /** The label that callers write before the value (Swift), '' for none. */
  readonly label: string;
  readonly optional: boolean;
  readonly variadic: boolean;
}

/** Offset of the parameter list of a function, -1 for none. */
function listStart(signature: string, name: string, { unnamedList }: NameRules): number {
  // The bracket nearly always follows the name at once. Compiling a pattern for each name would cost more than all
  // else.
  const quick = signature.indexOf(`${name}(`);
  if (quick >= 0 && !/[\w$]/.test(signature[quick - 1] ?? '')) return quick + name.length;
  const escaped = escapePattern(name);
  const at = new RegExp(
    `(?<![\\w$])${escaped}\\s*(?:<[^(]*>|` +
      `\\[[^(]*\\])?\\s*[?!]?\\s*(?:=\\s*(?:async\\s*)?(?:function\\s*\\*?\\s*\\w*\\s*)?(?:<[^(]*>)?\\s*)?\\(`,
  ).exec(signature);
  if (at) return at.index + at[0].length - 1;
  return unnamedList ? signature.indexOf('(') : -1;
}

/** Null for a signature without a parameter list. */
export function parametersOf(signature: string, name: string, rules: NameRules): Parameter[] | null {
  const open = listStart(signature, name, rules);
  if (open < 0) return null;
  const close = closingOf(signature, open);
  const list = signature.slice(open + 1, close < 0 ? undefined : close);
  const found = splitTop(list, ',').map((part) => readParameter(part, rules));
  // Go: several parameters may share the type behind the last one: `a, b int`.
  if (rules.declares === 'name-type') {
    let type = '';
    for (let i = found.length - 1; i >= 0; i--) {
      if (found[i]!.type !== '') type = found[i]!.type;
      else if (type !== '') found[i] = { ...found[i]!, type };
    }
  }
  return found.filter(({ name: each }) => each !== '' && each !== '/' && each !== '*');
}

function readParameter(part: string, { declares }: NameRules): Parameter {
  const equals = findTop(part, '=');
  const optional = equals > 0 && part[equals + 1] !== '>';
  const plain = (optional ? part.slice(0, equals) : part).replace(/^(?:@[\w.]+(?:\([^)]*\))?\s*)+/, '').trim();
  const variadic = /^\*{1,2}\w|\.\.\.|\bvararg\b|\bparams\b/.test(plain);
  switch (declares) {
    case 'name-type': {
      const [, name, type] = /^(\w+)\s+(.*)$/s.exec(plain) ?? [];
      return name
        ? { name, type: type!.trim(), label: '', optional: false, variadic }
        : { name: plain, type: '', label: '', optional: false, variadic };
    }
    case 'type-name': {
      const match = /^(.*?)[\s*&]*\$?&?(\w+)(?:\[[^\]]*\])?$/s.exec(plain.replace(/\s*\{.*$/s, ''));
      const named = /^(?:this|super)\.(\w+)$/.exec(plain);
      if (named) return { name: named[1]!, type: '', label: '', optional, variadic };
      return {
        name: match?.[2] ?? plain,
        type: match?.[1]?.trim() ?? '',
        label: '',
        optional: optional || /^\{/.test(plain),
        variadic,
      };
    }
    case 'assignment':
      return {
        name: /^[*&\s]*([\w?!]+)/.exec(plain)?.[1] ?? plain,
        type: '',
        label: '',
        optional: optional || plain.includes('\\\\'),
        variadic: variadic || plain.startsWith('*'),
      };
    default: {
      const colon = findTop(plain, ':');
      const words = (colon < 0 ? plain : plain.slice(0, colon)).replace(/[?!]$/, '').trim().split(/\s+/);
      const type = colon < 0 ? '' : plain.slice(colon + 1).trim();
      const name = words
        .at(-1)!
        .replace(/^[*&.]+/, '')
        .replace(/^'\w+$/, '');
      const label = words.length > 1 && words[0] !== '_' ? words[0]! : words.length === 1 ? name : '';
      return {
        name,
        type,
        label,
        optional: optional || /\?$/.test(colon < 0 ? plain : plain.slice(0, colon).trim()),
        variadic,
      };
    }
  }
}

/** The declared result of a callable, '' where none is declared. */
export function resultOf(signature: string, name: string, rules: NameRules): string {
  const open = listStart(signature, name, rules);
  const close = open < 0 ? -1 : closingOf(signature, open);
  const rest = close < 0 ? '' : signature.slice(close + 1).trim();
  if (rules.readResult) return rules.readResult(rest);
  if (rules.declares === 'type-name' && !rules.resultBehind) {
    const before = open < 0 ? '' : signature.slice(0, open);
    const escaped = escapePattern(name);
    const type = before.replace(new RegExp(`(?:[\\w:<>~]+::)?(?:[\\w]+\\.)?${escaped}\\s*(?:<.*>)?\\s*$`), '').trim();
    // C++ may declare the result behind the parameters: `auto f() -> T`.
    const arrow = /->\s*([^{;]+)$/.exec(rest)?.[1];
    return arrow ?? lastType(type);
  }
  const arrow = /^(?:(?:async|throws|rethrows|mutating|const|noexcept)(?:\([^)]*\))?\s*)*->\s*(.+)$/s.exec(rest)?.[1];
  const colon = /^:\s*(.+)$/s.exec(rest)?.[1];
  const type = arrow ?? colon ?? '';
  return type
    .replace(/\s+where\b.*$/s, '')
    .replace(/\s*(?:=>|=(?!>)|\{)\s*.*$/s, '')
    .replace(/:$/, '')
    .trim();
}

/** The type at the end of a list of modifiers: `Map<K, V>` of `public static final Map<K, V>`. */
function lastType(text: string): string {
  const plain = text.replace(/@[\w.]+(?:\([^)]*\))?\s*/g, '').trim();
  let depth = 0;
  for (let i = plain.length - 1; i >= 0; i--) {
    const c = plain[i]!;
    if (c === '>' || c === ']' || c === ')') depth++;
    else if (c === '<' || c === '[' || c === '(') depth--;
    else if (
      c === ' ' &&
      depth === 0 &&
      /[\w?]$/.test(plain.slice(0, i).trimEnd()) &&
      /^[\w$:]/.test(plain.slice(i + 1))
    )
      return plain.slice(i + 1);
  }
  return plain;
}

export interface DeclaredValue {
  /** '' where none is declared. */
  readonly type: string;
  /** The initial value, '' without one. */
  readonly value: string;
}

/** The declared type and initial value of a field, property, variable or constant. */
export function declaredValueOf(signature: string, name: string, { declares }: NameRules): DeclaredValue {
  const escaped = escapePattern(name);
  const at = new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).exec(signature);
  if (!at) return { type: '', value: '' };
  const after = signature.slice(at.index + name.length);
  const equals = findAssignment(after);
  const value = equals < 0 ? '' : after.slice(equals + 1).trim();
  const head = equals < 0 ? after : after.slice(0, equals);
  switch (declares) {
    case 'name-type':
      return {
        type: head
          .replace(/^(?:\s*,\s*\w+)*\s*/, '')
          .replace(/\s*`[^`]*`$/, '')
          .trim(),
        value,
      };
    case 'type-name':
      return {
        type: lastType(
          signature
            .slice(0, at.index)
            .replace(/[\s$*&]+$/, '')
            .replace(/,\s*\w+\s*$/, ''),
        ),
        value,
      };
    case 'assignment':
      return { type: '', value };
    default: {
      const declared = /^\s*(?:,\s*\w+\s*)*[?!]?\s*:\s*(.+)$/s.exec(head)?.[1] ?? '';
      const stop = findTop(declared, ',;');
      const type = (stop < 0 ? declared : declared.slice(0, stop)).replace(
        /\s*(?:\{|\bby\b|\bget\b|\bwhere\b).*$/s,
        '',
      );
      return { type: type.trim(), value: value || /\bby\s+lazy\s*\{\s*(.+?)\s*\}?$/s.exec(after)?.[1] || '' };
    }
  }
}

function findAssignment(text: string): number {
  for (let from = 0; ; ) {
    const at = findTop(text, '=', from);
    if (at < 0) return -1;
    if (text[at + 1] !== '=' && text[at + 1] !== '>' && !/[!<>=]/.test(text[at - 1] ?? '')) return at;
    from = at + 2;
  }
}
