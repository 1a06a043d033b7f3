/** How names work in Python. */
import { type MadeBy, nameRules, wordSet } from '../name-rules.ts';
import { closingOf, splitTop } from '../runtime/reading/split.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';
import { readPython } from './declarations.ts';
import { pythonEntries } from './entry-manifests.ts';

const DOTTED = /^[A-Za-z_][\w.]*$/;

/** `class Manager(Base.from_query(Query), metaclass=Meta)` has the sources Base and Query and the metaclass Meta. */
function madeBy(signature: string): MadeBy {
  const open = signature.indexOf('(');
  const close = open < 0 ? -1 : closingOf(signature, open);
  const sources: string[] = [];
  let metaclass = '';
  for (const base of close < 0 ? [] : splitTop(signature.slice(open + 1, close), ',').map((each) => each.trim())) {
    const named = /^(\w+)\s*=\s*(.+)$/s.exec(base);
    if (named) {
      if (named[1] === 'metaclass') metaclass = named[2]!;
      continue;
    }
    const at = base.indexOf('(');
    const end = at < 0 ? -1 : closingOf(base, at);
    if (end < 0) continue;
    const maker = base.slice(0, at);
    const parts = [maker.slice(0, Math.max(0, maker.lastIndexOf('.'))), ...splitTop(base.slice(at + 1, end), ',')];
    sources.push(...parts.map((each) => each.trim()).filter((each) => DOTTED.test(each)));
  }
  return { sources, metaclass };
}

export const pythonNames = nameRules({
  family: 'python',
  builtinMethods: BUILTIN_METHODS,
  blockLocals: false,
  transparentTypes: wordSet('Optional Annotated Final ClassVar Type type Required NotRequired ReadOnly'),
  fieldPrefix: 'self\\.',
  madeBy,
  importsAreExports: true,
  dottedModules: true,
  declares: 'name-colon-type',
  readDeclared: readPython,
  receiverParameter: /^(?:self|cls)$/,
  literal: /^(?:[bfrtu]|[bft]r|r[bft])["']|^(?:True|False)\b/i,
  braceDictionary: true,
  entryManifests: pythonEntries,
  runs: /^(?:if __name__\b|(?:app|application|api|cli|server|main)\b[^=\n]*(?:\(\)$|= ))/m,
  mentions: {
    isLabel: (before, after) => /^=(?!=)/.test(after) || (/^:/.test(after) && /(?:^|[(,])\s*\**$/.test(before)),
  },
});
