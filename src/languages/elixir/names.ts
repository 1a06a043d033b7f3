/** How names work in Elixir. */
import { isColonLabel, nameRules, wordSet } from '../name-rules.ts';
import { readAssigned } from '../runtime/reading/assigned.ts';

export const elixirNames = nameRules({
  family: 'elixir',
  // Without `self`: in Elixir `self()` is the current process.
  selfWords: wordSet('this Self cls $this __MODULE__'),
  opensImports: true,
  wildByName: true,
  scopedImports: true,
  aliasIsType: true,
  globalModules: true,
  globalPaths: 'qualified',
  declares: 'assignment',
  readDeclared: readAssigned,
  overloads: true,
  clauses: true,
  pipe: /\|>\s*$/,
  literal: /^(?::["\w]|~[a-zA-Z])/,
  mentions: { isLabel: isColonLabel },
});
