import type { EvidenceTrail } from '../evidence-trail.ts';

/**
 * Says that the index has no symbol of a name, and lists similar names: hits for its words would not be an answer. A
 * plain word need not be a name ("what uses authentication"), so it gets no lines unless the question can only be about
 * a name (`isName`): what calls it, what inherits from it.
 */
export function describeUnknown({ input }: EvidenceTrail, name: string, isName = false): string[] {
  const isQuoted = new RegExp(`[\`"']${name.replace(/\W/g, '\\$&')}|${name.replace(/\W/g, '\\$&')}\\(`).test(
    input.request.query,
  );
  const isWord = isName && /^\w+$/.test(name);
  if (!isQuoted && !isWord && !/[_.#:\\\d]|[a-z][A-Z]|^[A-Z]/.test(name)) return [];
  const near = input
    .similar(name)
    .map(({ qualifiedName, path, startLine }) => `${qualifiedName} (${path}:${startLine})`);
  return [`No symbol ${name} is in the index${near.length > 0 ? `; similar names: ${near.join(', ')}` : ''}.`];
}
