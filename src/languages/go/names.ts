/** How names work in Go. */
import { isColonLabel, nameRules } from '../name-rules.ts';
import { closingOf, splitTop } from '../runtime/reading/split.ts';
import { readGo } from './declarations.ts';
import { methodShape } from './method-shape.ts';

export const goNames = nameRules({
  family: 'go',
  visible: 'folder',
  testFile: /_test\.go$/,
  folderPrivate: true,
  importsDecide: true,
  openTypes: true,
  parts: 'none',
  outsideMethods: 'folder',
  methodShape,
  // `type X = Y`, and `type X Y`, which has what Y embeds.
  aliasedText: (signature, name) => new RegExp(`^${name}\\s*=?\\s*(.+)$`).exec(signature)?.[1],
  wildByName: true,
  writesAlias: (line, alias) => new RegExp(`\\b${alias}\\s+["\`]`).test(line),
  reexports: 'none',
  declares: 'name-type',
  readDeclared: readGo,
  readResult,
  receiverType: (signature, name) => {
    const receiver = /^func\s*\(\s*(\w+)\s+([^)]+)\)/.exec(signature);
    return receiver?.[1] === name ? receiver[2] : undefined;
  },
  elementType,
  mentions: { isLabel: isColonLabel },
  main: 'main',
});

/** The first of several results. */
function readResult(rest: string): string {
  const result = rest.replace(/\s*\{$/, '');
  if (!result.startsWith('(')) return result;
  const [first] = splitTop(result.slice(1, closingOf(result, 0)), ',');
  return /^\w+\s+(?=[\w*[\]&(.])(.+)$/s.exec(first ?? '')?.[1] ?? first ?? '';
}

/** The type that a slice, an array or a map begins with, as in `[][2]*Point{…}`; '' where it has no name. */
function elementType(expression: string): string {
  const written = /^((?:(?:map)?\[[^\][]*\])+\s*\*?[\w.]+)\s*(?:\[[^\][]*\])?\{/.exec(expression.trim())?.[1] ?? '';
  return written.endsWith('struct') || written.endsWith('interface') ? '' : written.replaceAll('[...]', '[]');
}
