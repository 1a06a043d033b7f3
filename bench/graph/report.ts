/** The figures as a table, and the page that holds it. */
import type { Score } from './score.ts';

export interface Row {
  readonly title: string;
  readonly by: string;
  readonly trees: readonly string[];
  readonly ours: Score;
  readonly theirs: Score | null;
}

const share = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const count = (value: number) => value.toLocaleString('en');

export function table(rows: readonly Row[]): string {
  const head = [
    'language',
    'judge',
    'calls',
    'in the tree',
    '`exact`',
    'precision of `exact`',
    'recall',
    'recall, `exact` only',
    'precision, all decided',
    "codegraph's precision",
    "codegraph's precision, sure",
    "codegraph's recall",
  ];
  const lines = rows.map(({ title, by, ours, theirs }) => [
    title,
    by,
    count(ours.judged),
    count(ours.resolvable),
    count(ours.sure),
    share(ours.sureRight, ours.sure),
    share(ours.found, ours.resolvable),
    share(ours.foundSurely, ours.resolvable),
    share(ours.decidedRight, ours.decided),
    theirs ? share(theirs.decidedRight, theirs.decided) : '–',
    theirs ? share(theirs.sureRight, theirs.sure) : '–',
    theirs ? share(theirs.found, theirs.resolvable) : '–',
  ]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function document(rows: readonly Row[], peer: string): string {
  const trees = rows.map(({ title, by, trees }) => `| ${title} | ${by} | ${trees.join(', ')} |`);
  return `# How far edges can be trusted

Made by \`npm run bench:graph -- --repos DIR --write\`. Every call of the repositories below was resolved by Sextant, by codegraph ${peer}, and by a judge:
the language's own compiler or a language server, or, where the judge is \`labels\`, by hand (\`bench/graph/labels/\`).

- **calls**: calls that the judge could resolve, in files that the index holds. **in the tree**: those that mean a function, method, class or macro
  of the repository itself.
- **precision of \`exact\`**: of our edges called \`exact\` at those calls, the share whose target is the judge's. An edge to something of ours at a call that
  leads outside, or to a variable, is wrong. **all decided**: the same for \`exact\` and \`likely\` together.
- **recall**: of the calls in the tree, the share for which we name the right definition alone, as \`exact\` or \`likely\`; what is \`ambiguous\` counts as not found, even
  with the right one among its candidates.
- A class and its constructor, an overload and its implementation, a prototype and its definition are each right for either. codegraph's edges carry lines only, so
  any right edge of that name on the line counts for it; its sure edges are those with a confidence of 0.9 or more.

${table(rows)}

| language | judge | repositories |
|---|---|---|
${trees.join('\n')}
`;
}
