/**
 * Conditional directives that split a declaration or statement (`#ifdef X` around half of an `if`, two heads of one
 * function) make a grammar misread the file. Of such a group one branch is kept and its directives are masked. A group
 * around whole declarations or statements stays as it is.
 */
import { type Dialect, TokenKind, type Tokens } from './tokens.ts';

/** Ranges of tokens to mask: [first, last] pairs, inclusive, in no particular order. */
export type TokenRanges = [number, number][];

interface Branch {
  directive: number;
  first: number;
  last: number;
  braces: number;
  parens: number;
  /** The brace depth falls below that at the start of the branch: `} else {`. */
  dips: boolean;
  /** The last token of the branch that is no directive; -1 for none. */
  tail: number;
}

interface Group {
  /** The last token before the group; -1 at the start of the file. */
  before: number;
  branches: Branch[];
}

const DIRECTIVE = /^#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b/;

export function maskConditionals(tokens: Tokens, dialect: Dialect): TokenRanges {
  const { text, units, count, kinds, starts, ends } = tokens;
  const masked: TokenRanges = [];
  const stack: Group[] = [];
  let current = newBranch(-1);
  for (let i = 0; i < count; i++) {
    const start = starts[i]!;
    if (kinds[i] === TokenKind.Directive) {
      const word = DIRECTIVE.exec(text.slice(start, Math.min(ends[i]!, start + 24)))?.[1];
      if (word === undefined) continue;
      if (word === 'endif') {
        const group = stack.pop();
        if (!group) continue;
        current.last = i - 1;
        const parent = group.branches.shift()!;
        group.branches.push(current);
        const kept = settle(tokens, group, i, masked, dialect);
        current = parent;
        if (kept) {
          current.dips ||= kept.dips;
          current.braces += kept.braces;
          current.parens += kept.parens;
          if (kept.tail >= 0) current.tail = kept.tail;
        }
      } else if (word.startsWith('if')) {
        // While an inner group is open, the enclosing branch is the first entry of the stack.
        stack.push({ before: current.tail, branches: [current] });
        current = newBranch(i);
      } else if (stack.length > 0) {
        current.last = i - 1;
        stack[stack.length - 1]!.branches.push(current);
        current = newBranch(i);
      }
      continue;
    }
    current.tail = i;
    if (kinds[i] !== TokenKind.Mark) continue;
    switch (units[start]) {
      case 123:
        current.braces++;
        break;
      case 125:
        if (--current.braces < 0) current.dips = true;
        break;
      case 40:
        current.parens++;
        break;
      case 41:
        if (--current.parens < 0) current.dips = true;
        break;
    }
  }
  // A group without `#endif`, in a truncated or unfinished file, would mask the rest of the file: only its directives
  // are masked.
  for (const { directive } of [...stack.flatMap(({ branches }) => branches), current])
    if (directive >= 0) masked.push([directive, directive]);
  return masked;
}

function newBranch(directive: number): Branch {
  return { directive, first: directive + 1, last: directive, braces: 0, parens: 0, dips: false, tail: -1 };
}

/** Decides which branches of a group are masked; returns the branch whose braces count for the text that follows. */
function settle(
  tokens: Tokens,
  group: Group,
  endif: number,
  masked: TokenRanges,
  dialect: Dialect,
): Branch | undefined {
  if (isGuard(tokens, group)) {
    masked.push([group.branches[0]!.directive, group.branches[0]!.directive], [endif, endif]);
    return group.branches[0];
  }
  const before = markAt(tokens, group.before);
  const branches: Branch[] = [];
  for (const branch of group.branches) {
    if (!isDead(tokens, branch, dialect)) branches.push(branch);
    else if (branch.last >= branch.first) masked.push([branch.first, branch.last]);
  }
  const balanced = branches.every((branch) => branch.braces === 0 && branch.parens === 0 && !branch.dips);
  const starts = before === '' || before === ';' || before === '{' || before === '}' || before === ':';
  const tails = branches.map(({ tail }) => markAt(tokens, tail));
  if (balanced && starts && tails.every((tail) => tail === '' || tail === ';' || tail === '}'))
    return branches.find(({ tail }) => tail >= 0);
  for (const { directive } of group.branches) masked.push([directive, directive]);
  masked.push([endif, endif]);
  // Branches that are items of a list all stay.
  if (balanced && before !== '' && tails.every((tail) => tail === '' || tail === ',')) return branches[0];
  const whole = branches.filter((branch) => branch.last >= branch.first);
  // The first branch that is not empty, unless a later one has more than ten times as many tokens.
  const kept = whole.find((branch) => size(branch) > 400 && size(branch) > 10 * size(whole[0]!)) ?? whole[0];
  for (const branch of branches)
    if (branch !== kept && branch.last >= branch.first) masked.push([branch.first, branch.last]);
  return kept;
}

/**
 * The include guard of a header (`#ifndef X_H`, `#define X_H`). Only its directives are masked: as a group, a syntax
 * error in the header would lose everything inside.
 */
function isGuard({ text, kinds, starts, ends }: Tokens, { before, branches }: Group): boolean {
  const { directive, first } = branches[0]!;
  if (before >= 0 || branches.length > 1 || kinds[first] !== TokenKind.Directive) return false;
  const name = /^#\s*if(?:ndef\s+|\s*!\s*defined\s*\(?\s*)(\w+)/.exec(
    text.slice(starts[directive], ends[directive]),
  )?.[1];
  return name !== undefined && name === /^#\s*define\s+(\w+)/.exec(text.slice(starts[first], ends[first]))?.[1];
}

/** A punctuation mark, 'a' for any other token, '' for none. */
function markAt({ text, kinds, starts }: Tokens, token: number): string {
  if (token < 0) return '';
  return kinds[token] === TokenKind.Mark ? text[starts[token]!]! : 'a';
}

function size(branch: Branch): number {
  return branch.last - branch.first;
}

/** Code under `#if 0`, and code of a C header that only a C++ compiler sees. */
function isDead(tokens: Tokens, branch: Branch, dialect: Dialect): boolean {
  const condition = tokens.text.slice(tokens.starts[branch.directive]!, tokens.ends[branch.directive]!);
  if (/^#\s*(?:el)?if\s+0\s*$/.test(condition)) return true;
  return dialect === 'c' && /^#\s*if(?:def\s|\s+defined\W|\s)\s*__cplusplus/.test(condition);
}
