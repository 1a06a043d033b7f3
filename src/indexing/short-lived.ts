/** For processes that live for seconds. */
import { setFlagsFromString } from 'node:v8';

/**
 * Optimising every warm function, and inlining much into it, takes a sixth of a worker's time: only what stays hot is worth it. Newer versions
 * have a compiler in between, and no such flag.
 */
export function optimiseLittle(): void {
  if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString('--interrupt-budget=600000');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');
}

/**
 * For workers, whose functions are called anew with every file: one that is optimised in the middle of its loop, before it has seen what files
 * hold, is soon thrown away and made again. A quarter of the compiler's work.
 */
export function optimiseBetweenCalls(): void {
  setFlagsFromString('--no-use-osr');
}
