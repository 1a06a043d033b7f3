/** How much V8 is to optimise, by what a process is for. Settings of its own, so they hold for the whole process. */
import { setFlagsFromString } from 'node:v8';

/**
 * Only what stays hot is worth it: optimising every warm function took a sixth of a worker's time and a quarter of what a server spent on its
 * first 150 questions, and left it 12 MB larger. Newer versions have a compiler in between, and no such flag.
 */
export function optimiseLate(): void {
  if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString('--interrupt-budget=600000');
}

/** For processes that live for seconds: inlining much into what is optimised is not paid back either. */
export function optimiseLittle(): void {
  optimiseLate();
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');
}

/**
 * For workers, whose functions are called anew with every file: one that is optimised in the middle of its loop, before it has seen what files
 * hold, is soon thrown away and made again. A quarter of the compiler's work.
 */
export function optimiseBetweenCalls(): void {
  setFlagsFromString('--no-use-osr');
}
