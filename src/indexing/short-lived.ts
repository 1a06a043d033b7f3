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
