/** How names work in Zig. */
import { type Builtin, nameRules, wordSet } from '../name-rules.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';

export const zigNames = nameRules({
  family: 'zig',
  builtinMethods: BUILTIN_METHODS,
  implicitSelf: true,
  topBlocks: true,
  typesAreValues: true,
  // Without `self`: in Zig it is a parameter like any other.
  selfWords: wordSet('this Self cls $this __MODULE__'),
  importsAreModules: true,
  builtin,
  declares: 'name-colon-type',
  hiddenReceivers: 'all',
  readResult: (rest) => rest.replace(/^(?:callconv\([^)]*\)|align\([^)]*\))\s*/, ''),
  mentions: { leadingDot: true },
  main: 'main',
});

/** `@This()`, `@import("x.zig").Y`. */
function builtin(expression: string): Builtin | null {
  const written = /^@(This|import)\((?:"([^"]*)")?\)((?:\.\w+)*)$/.exec(expression.trim());
  if (!written) return null;
  return { source: written[1] === 'This' ? null : (written[2] ?? ''), path: written[3]!.split('.').filter(Boolean) };
}
