/** Formats the figures as tables, and writes the page with them. */
import type { ImplementerScore } from './implementers.ts';
import type { Score } from './score.ts';

/** The results of one run. */
export interface Figures {
  readonly rows: readonly Row[];
  readonly implementers: readonly {
    readonly title: string;
    readonly by: string;
    readonly trees: readonly string[];
    readonly scores: readonly ImplementerScore[];
  }[];
  readonly questions: readonly { readonly title: string; readonly asked: number; readonly right: number }[];
}

export interface Row {
  readonly title: string;
  readonly by: string;
  readonly trees: readonly string[];
  readonly ours: Score;
  readonly theirs: Score | null;
  /** Calls of common method names. */
  readonly common: Score;
  /** Functions for which Sextant claims that no call was found, and those of them that have one. */
  readonly claims: number;
  readonly falseClaims: number;
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
  'precision of `likely`',
  'precision, all decided',
  "codegraph's precision",
  "codegraph's precision, sure",
  "codegraph's recall",
];
const TREES_HEAD = ['language', 'repositories'];
const COMMON_HEAD = [
  'common names in',
  'calls',
  'in the tree',
  'precision of `exact`',
  'precision of `likely`',
  'recall',
];
const ABSENCE_HEAD = ['absence in', 'functions said to have no call', 'true'];
const IMPLEMENTERS_HEAD = ['types in', 'judge', 'types', 'implementers', 'recall', 'precision', 'repositories'];
const QUESTIONS_HEAD = ['questions about', 'asked', 'right'];

type Made = readonly (readonly [title: string, text: string])[];

function parts({
  rows,
  implementers,
  questions,
}: Figures): { readonly head: readonly string[]; readonly made: Made }[] {
  return [
    { head: HEAD, made: rows.map((row) => [row.title, figuresOf(row)]) },
    {
      head: COMMON_HEAD,
      // Labelled languages are left out: two dozen labels contain only a few such calls.
      made: rows
        .filter(({ by, common }) => by !== 'labels' && common.judged > 0)
        .map((row) => [row.title, commonOf(row.title, row.common)]),
    },
    {
      head: ABSENCE_HEAD,
      made: rows
        .filter(({ claims }) => claims > 0)
        .map(({ title, claims, falseClaims }) => [
          title,
          line([title, count(claims), share(claims - falseClaims, claims)]),
        ]),
    },
    {
      head: IMPLEMENTERS_HEAD,
      made: implementers.map(({ title, by, trees, scores }) => {
        const total = (key: 'types' | 'judged' | 'found' | 'named' | 'right') =>
          scores.reduce((all, each) => all + each[key], 0);
        const recall = share(total('found'), total('judged'));
        const precision = share(total('right'), total('named'));
        const counts = [count(total('types')), count(total('judged'))];
        return [title, line([title, by, ...counts, recall, precision, trees.join(', ')])];
      }),
    },
    {
      head: QUESTIONS_HEAD,
      made: questions.map(({ title, asked, right }) => [title, line([title, `${asked}`, `${right}`])]),
    },
    { head: TREES_HEAD, made: rows.map(({ title, trees }) => [title, line([title, trees.join(', ')])]) },
  ];
}

export function table(figures: Figures): string {
  return parts(figures)
    .filter(({ made }) => made.length > 0)
    .map(({ head, made }) => [line(head), line(head.map(() => '---')), ...made.map(([, text]) => text)].join('\n'))
    .join('\n\n');
}

function commonOf(title: string, common: Score): string {
  return line([
    title,
    count(common.judged),
    count(common.resolvable),
    share(common.sureRight, common.sure),
    likely(common),
    share(common.found, common.resolvable),
  ]);
}

function likely({ decided, decidedRight, sure, sureRight }: Score): string {
  return share(decidedRight - sureRight, decided - sure);
}

export function figuresOf({ title, by, ours, theirs }: Row): string {
  return line([
    title,
    by,
    count(ours.judged),
    count(ours.resolvable),
    count(ours.sure),
    share(ours.sureRight, ours.sure),
    share(ours.found, ours.resolvable),
    share(ours.foundSurely, ours.resolvable),
    likely(ours),
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
 * The page with these rows, in the order of their titles. Rows of `previous` for languages that this run left out stay,
 * so do the hand-written sections, and codegraph's figures for the same calls if it was not run.
 */
export function document(figures: Figures, peer: string, previous: string, order: readonly string[]): string {
  const merge = (head: readonly string[], made: Made) => {
    const lines = new Map(linesBelow(previous, line(head)));
    for (const [title, text] of made) lines.set(title, head === HEAD ? withPeer(text, lines.get(title)) : text);
    const sorted = [...lines].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)).map(([, text]) => text);
    return [line(head), line(head.map(() => '---')), ...sorted].join('\n');
  };
  const sections = previous.indexOf('\n## ');
  return `# How far edges can be trusted

Made by \`npm run bench:graph -- --repos DIR --write\`. Each call of the repositories below is resolved by Sextant, by codegraph ${peer} and by a judge:
the language's own compiler or a language server, or labels made by hand where the judge is \`labels\` (\`bench/graph/labels/\`).

- **calls**: calls that the judge resolves, in indexed files. **in the tree**: those whose target is a function, method, class or macro of the
  repository itself.
- **precision of \`exact\`**: the share of Sextant's \`exact\` edges at those calls whose target is the judge's. An edge is wrong if the call leads out of the
  repository or to a variable. **of \`likely\`** and **all decided**: the same for \`likely\` edges, and for both together.
- **recall**: the share of the calls in the tree for which Sextant names exactly the right definition, as \`exact\` or \`likely\`. An \`ambiguous\` call counts as not
  found, even if the right definition is among its candidates.
- Either counts as right: a class or its constructor, an overload signature or its implementation (TypeScript, Python), a prototype or its definition. Overloads with
  bodies of their own (Java, C++, C#, Kotlin, Swift) count as different functions. codegraph's edges have a line and no column, so any right edge of the name on the line
  counts for it; its sure edges have a confidence of 0.9 or more. A dash means that codegraph does not read the language.
- A judge sees only what it can compile. Calls that depend on missing libraries, on other platforms, or on types that Python code does not declare are left out for both
  programs. A language with two dozen labels has coarse figures: one call changes them by four points.
- The resolver was improved by looking at its misses in most of these repositories; others may give lower figures. A call on a value without a declared type (the
  parameter of an untyped callback) stays \`ambiguous\`.
- **common names**: the same figures for calls of get, set, add, push, pop, map, close, open, read, write, run, start, send, update, remove, find, format, parse, append
  and clear. Built-in types have methods of these names, too.
- **absence**: functions for which Sextant says that no call was found: no resolved call, no unresolved call, and no place that passes the function as a value. The claim
  is false if the judge has a call.
- **implementers**: pairs of a type and a type that implements, inherits or conforms to it, both in indexed files. In Go these are all types that have the methods, in the
  other languages those that declare it. Left out: Go interfaces that embed others, generic types in Go, anonymous classes in Java.
- **questions**: \`bench/graph/questions.json\` states for each question what a right answer must contain, and what it must not.
- \`--part both-ways\` needs no judge. It checks that each import and each call of a file is also found from its target, as a dependant or a reference. Once, 96 of 153
  imports and 653 of 2,102 calls of express were lost this way, and 374 of 2,008 calls of fastify. None is lost now, nor in redux (297 imports, 799 calls), hono
  (963, 9,516) and ripgrep (259, 11,091).

${parts(figures)
  .map(({ head, made }) => merge(head, made))
  .join('\n\n')}
${sections < 0 ? '' : previous.slice(sections)}`;
}

/** Codegraph's figures for the same calls do not change with ours, so those of the previous page stay. */
function withPeer(text: string, previous = ''): string {
  const [cells, before] = [text.split(' | '), previous.split(' | ')];
  const isSame = before.length === cells.length && [1, 2, 3].every((i) => before[i] === cells[i]);
  return isSame && cells.at(-1) === '– |' ? [...cells.slice(0, -3), ...before.slice(-3)].join(' | ') : text;
}

/** Rows of the table with this head, by their first cell. */
function linesBelow(page: string, head: string): [string, string][] {
  const all = page.split('\n');
  const start = all.indexOf(head);
  if (start < 0) return [];
  const end = all.findIndex((text, i) => i > start && !text.startsWith('|'));
  return all.slice(start + 2, end < 0 ? undefined : end).map((text) => [text.split('|')[1]!.trim(), text]);
}
