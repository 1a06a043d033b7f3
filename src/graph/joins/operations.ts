/** Fields that the operations of a GraphQL document ask for, in a document of its own or in a literal of other code. */

export interface AskedField {
  readonly root: 'Query' | 'Mutation' | 'Subscription';
  readonly name: string;
  readonly line: number;
}

const OPERATION = /\b(query|mutation|subscription)\b(?:\s+\w+)?\s*(?:\([^(){}]{0,2000}\))?\s*\{/g;
const ROOTS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;
/** Of one operation. */
const MAX_LENGTH = 20_000;

/** `isDocument`: the text is nothing but operations; otherwise they begin behind a quote. */
export function readOperations(text: string, isDocument: boolean): AskedField[] {
  const fields: AskedField[] = [];
  for (const match of text.matchAll(OPERATION)) {
    const before = text.slice(Math.max(0, match.index - 200), match.index);
    if (!isDocument && !/["'`]\s*(?:#[^\n]*\n\s*)*$/.test(before)) continue;
    const root = ROOTS[match[1] as keyof typeof ROOTS];
    const start = match.index + match[0].length;
    for (const { name, at } of firstFields(text, start))
      fields.push({ root, name, line: text.slice(0, at).split('\n').length });
  }
  return fields;
}

/** Names at the first level of a selection; arguments and what is selected of a field are skipped. */
function firstFields(text: string, start: number): { readonly name: string; readonly at: number }[] {
  const fields: { name: string; at: number }[] = [];
  const token = /[A-Za-z_]\w*|[(){}:@]|\.\.\./g;
  token.lastIndex = start;
  let [depth, isAlias] = [0, false];
  for (let next = token.exec(text); next && next.index < start + MAX_LENGTH; next = token.exec(text)) {
    const [word] = next;
    if (word === '{' || word === '(') depth++;
    else if (word === '}' || word === ')') {
      if (depth === 0) break;
      depth--;
    } else if (depth > 0) continue;
    else if (word === ':') fields.pop();
    else if (word === '@' || word === '...') isAlias = true;
    else if (isAlias) isAlias = false;
    else fields.push({ name: word, at: next.index });
  }
  return fields;
}
