/**
 * The V8 flags of worker processes, in one table by Node version. No other process sets any. A flag stays only while it
 * saves a tenth of an index's time or of a worker's memory; docs/benchmarks.md has the measurements. A worker that does
 * not start with the flags is started without them (worker-pool.ts).
 */
import { setFlagsFromString } from 'node:v8';

/** `few`: for a handful of changed files; `many`: for a whole index. */
export type Workload = 'few' | 'many';

interface WorkerFlag {
  readonly flag: string;
  readonly why: string;
  /** The first and last major version of Node that get the flag; all, if absent. */
  readonly node?: readonly [first: number, last: number];
  readonly workload?: Workload;
}

const TIERING =
  'Optimised machine code would be ready when the few files are parsed, and costs more than parsing them.';
const SWIFT = 'This V8 compiles the Swift grammar with its optimising compiler for minutes and gigabytes, or aborts.';
const HEAP = 'A worker holds one batch. A heap of its final size from the start avoids collections that find nothing.';

const START_FLAGS: readonly WorkerFlag[] = [
  { flag: '--max-old-space-size=512', why: HEAP },
  { flag: '--initial-old-space-size=100', why: HEAP },
  { flag: '--max-semi-space-size=8', why: HEAP },
  { flag: '--min-semi-space-size=8', why: HEAP },
  {
    flag: '--interrupt-budget=600000',
    why: 'Optimising every warm function took a sixth of the time. Later versions have a compiler in between.',
    node: [20, 21],
  },
  { flag: '--no-wasm-dynamic-tiering', why: TIERING, workload: 'few' },
  { flag: '--no-wasm-tier-up', why: TIERING, workload: 'few' },
  { flag: '--no-wasm-dynamic-tiering', why: SWIFT, node: [24, 25], workload: 'many' },
  { flag: '--no-wasm-tier-up', why: SWIFT, node: [24, 25], workload: 'many' },
];

/** The flags that a worker starts with. */
export function workerFlags(workload: Workload, nodeVersion: string = process.versions.node): readonly string[] {
  const major = Number.parseInt(nodeVersion, 10);
  return START_FLAGS.filter(
    ({ node, workload: only }) =>
      (!node || (major >= node[0] && major <= node[1])) && (only === undefined || only === workload),
  ).map(({ flag }) => flag);
}

/**
 * Keeps V8 from optimising lexers of grammars. A lexer is one function of up to 340 KB, and V8 counts its size as work:
 * after a dozen tokens the optimising compiler starts, which takes 1 s (Bash) to 11 s (Swift) of a core and saves a
 * tenth of the parsing time. A worker calls this after the parser's runtime is loaded and before any grammar: V8 reads
 * the budget when a module is compiled, so the runtime is still optimised.
 */
export function leaveLexersUnoptimised(): void {
  setFlagsFromString('--wasm-tiering-budget=2000000000');
}
