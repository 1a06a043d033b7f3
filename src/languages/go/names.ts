/** How names work in Go. */
import { isColonLabel, nameRules } from '../name-rules.ts';
import { closingOf, splitTop } from '../runtime/reading/split.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';
import { readGo } from './declarations.ts';
import { methodShape } from './method-shape.ts';

export const goNames = nameRules({
  family: 'go',
  builtinMethods: BUILTIN_METHODS,
  visible: 'folder',
  testFile: /_test\.go$/,
  folderPrivate: true,
  importsDecide: true,
  openTypes: true,
  parts: 'none',
  outsideMethods: 'folder',
  methodShape,
  assertedType,
  // `type X = Y`, and `type X Y`, which has the members that Y embeds.
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

/** `var _ Render = (*Text)(nil)`, `= &Text{}`, `= Text{…}`, `= new(Text)`. */
function assertedType(signature: string): string | null {
  const value = /^(?:var\s+)?_\s+[\w.[\]]+\s*=\s*(.+)$/s.exec(signature)?.[1];
  if (!value) return null;
  const written =
    /^\(\s*\*\s*([\w.]+)(?:\[[^\]]*\])?\s*\)\s*\(nil\)/.exec(value) ??
    /^&?([\w.]+)(?:\[[^\]]*\])?\s*\{/.exec(value) ??
    /^new\(\s*([\w.]+)/.exec(value) ??
    /^([\w.]+)\((?:nil|0|"")\)/.exec(value);
  return written?.[1] ?? null;
}

/** The first of several result types. */
function readResult(rest: string): string {
  const result = rest.replace(/\s*\{$/, '');
  if (!result.startsWith('(')) return result;
  const [first] = splitTop(result.slice(1, closingOf(result, 0)), ',');
  return /^\w+\s+(?=[\w*[\]&(.])(.+)$/s.exec(first ?? '')?.[1] ?? first ?? '';
}

/** The element type of a slice, array or map literal such as `[][2]*Point{…}`; '' where it has no name. */
function elementType(expression: string): string {
  const written = /^((?:(?:map)?\[[^\][]*\])+\s*\*?[\w.]+)\s*(?:\[[^\][]*\])?\{/.exec(expression.trim())?.[1] ?? '';
  return written.endsWith('struct') || written.endsWith('interface') ? '' : written.replaceAll('[...]', '[]');
}
