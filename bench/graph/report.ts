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

const HEAD = [
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
const TREES_HEAD = ['language', 'repositories'];

export function table(rows: readonly Row[]): string {
  return [line(HEAD), line(HEAD.map(() => '---')), ...rows.map(figures)].join('\n');
}

function figures({ title, by, ours, theirs }: Row): string {
  return line([
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
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/**
 * The page with these rows, in the order of their titles; lines of `previous` about languages that this run left out
 * stay.
 */
export function document(rows: readonly Row[], peer: string, previous: string, order: readonly string[]): string {
  const merge = (head: readonly string[], made: readonly (readonly [string, string])[]) => {
    const lines = new Map(linesBelow(previous, line(head)));
    for (const [title, text] of made) lines.set(title, text);
    const sorted = [...lines].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)).map(([, text]) => text);
    return [line(head), line(head.map(() => '---')), ...sorted].join('\n');
  };
  return `# How far edges can be trusted

Made by \`npm run bench:graph -- --repos DIR --write\`. Every call of the repositories below was resolved by Sextant, by codegraph ${peer}, and by a judge:
the language's own compiler or a language server, or, where the judge is \`labels\`, by hand (\`bench/graph/labels/\`).

- **calls**: calls that the judge could resolve, in files that the index holds. **in the tree**: those that mean a function, method, class or macro
  of the repository itself.
- **precision of \`exact\`**: of our edges called \`exact\` at those calls, the share whose target is the judge's. An edge to something of ours at a call that
  leads outside, or to a variable, is wrong. **all decided**: the same for \`exact\` and \`likely\` together.
- **recall**: of the calls in the tree, the share for which we name the right definition alone, as \`exact\` or \`likely\`; what is \`ambiguous\` counts as not found, even
  with the right one among its candidates.
- A class and its constructor, an overload signature and its implementation (TypeScript, Python), a prototype and its definition are each right for either; overloads that
  are functions of their own (Java, C++, C#, Kotlin, Swift) are not. codegraph's edges carry lines only, so any right edge of that name on the line counts for it; its
  sure edges are those with a confidence of 0.9 or more. A dash: it does not read the language.
- Judges see what they can compile here: calls that depend on libraries that are not installed, on other platforms or on types that Python does not declare are left out
  for both programs. Two dozen labels say less than thousands of judged calls: a single one moves a figure by four points.
- The resolver was worked on with misses in most of these repositories in sight; others may give lower figures. A call on a value whose type nothing in the text
  declares (an untyped callback's parameter) stays \`ambiguous\`.

${merge(
  HEAD,
  rows.map((row) => [row.title, figures(row)]),
)}

${merge(
  TREES_HEAD,
  rows.map(({ title, trees }) => [title, line([title, trees.join(', ')])]),
)}
`;
}

/** Lines of the table that has this head, by their first cell. */
function linesBelow(page: string, head: string): [string, string][] {
  const all = page.split('\n');
  const start = all.indexOf(head);
  if (start < 0) return [];
  const end = all.findIndex((text, i) => i > start && !text.startsWith('|'));
  return all.slice(start + 2, end < 0 ? undefined : end).map((text) => [text.split('|')[1]!.trim(), text]);
}
