/** Finds the fields that GraphQL operations request, in a document or in a string of other code. */

export interface AskedField {
  readonly root: 'Query' | 'Mutation' | 'Subscription';
  readonly name: string;
  readonly line: number;
}

const OPERATION = /\b(query|mutation|subscription)\b(?:\s+\w+)?\s*(?:\([^(){}]{0,2000}\))?\s*\{/g;
const ROOTS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;
/** Characters of one operation. */
const MAX_LENGTH = 20_000;
/** Fields of one text. */
const MAX_FIELDS = 1_000;
/** Unclosed operations are read from each start, so the total is limited to a multiple of the text. */
const MAX_READINGS = 4;

/** `isDocument`: the text contains only operations; otherwise an operation begins after a quote. */
export function readOperations(text: string, isDocument: boolean): AskedField[] {
  const fields: AskedField[] = [];
  let left = MAX_READINGS * text.length;
  let [line, counted] = [1, 0];
  for (const match of text.matchAll(OPERATION)) {
    if (left <= 0 || fields.length >= MAX_FIELDS) break;
    const before = text.slice(Math.max(0, match.index - 200), match.index);
    if (!isDocument && !/["'`]\s*(?:#[^\n]*\n\s*)*$/.test(before)) continue;
    const root = ROOTS[match[1] as keyof typeof ROOTS];
    const start = match.index + match[0].length;
    line += newlines(text.slice(counted, start));
    counted = start;
    const selection = firstFields(text.slice(start, start + MAX_LENGTH));
    left -= selection.length;
    for (const { name, newlines } of selection.fields) fields.push({ root, name, line: line + newlines });
  }
  return fields;
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}

interface Selection {
  /** The fields of the first level, with the newlines before each. */
  readonly fields: readonly { readonly name: string; readonly newlines: number }[];
  /** Characters that were read. */
  readonly length: number;
}

/** Skips arguments and nested selections. */
function firstFields(text: string): Selection {
  const fields: { name: string; newlines: number }[] = [];
  let [depth, newlines, isAlias] = [0, 0, false];
  for (const { 0: word, index } of text.matchAll(/\n|[A-Za-z_]\w*|[(){}:@]|\.\.\./g)) {
    if (word === '\n') newlines++;
    else if (word === '{' || word === '(') depth++;
    else if (word === '}' || word === ')') {
      if (depth === 0) return { fields, length: index };
      depth--;
    } else if (depth > 0) continue;
    else if (word === ':') fields.pop();
    else if (word === '@' || word === '...') isAlias = true;
    else if (isAlias) isAlias = false;
    else fields.push({ name: word, newlines });
  }
  return { fields, length: text.length };
}
