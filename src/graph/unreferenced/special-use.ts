/** Recognises symbols that run although nothing in the program names them. */

import { nameRulesOf } from '../../languages/registry.ts';
import { pattern } from '../../model/text/pattern.ts';
import type { SymbolPlace } from '../symbol-graph.ts';
import type { Reservation, UnreferencedInput } from './find-unreferenced.ts';

/** Symbols that the language itself calls: `main`, constructors, operators, `__enter__`, Go's `init`. */
const BY_LANGUAGE = pattern()`
    ^(?:main|init|subscript|constructor|initialize|deinit|finalize|operator\b.*|__\w+__|__construct|new|drop|default|_)$
    |^\W+$
  `;
/** An attribute may register the symbol: `@app.route('/')`, `#[test]`, `[HttpGet]`. */
const ATTRIBUTE = /^\s*(?:@[\w.]+|#\[|\[[A-Z]\w*[(\],])/;
/** Attributes that register nothing. */
const PLAIN_ATTRIBUTE = pattern()`
    ^\s*(?:@(?:staticmethod|classmethod|property|override|Override|deprecated|Deprecated|SuppressWarnings
    |discardableResult|inlinable|inline|available|MainActor|final)\b
    |#\[(?:inline|must_use|allow|deprecated|derive|doc|cfg|non_exhaustive)\b)
  `;

/** A function expression is used where it is written: `on('mount', function onmount() {…})`. */
const EXPRESSION = /(?:[=(,:?[]|\breturn|=>)\s*(?:async\s+)?function\s*\*?\s*$/;

/** `entry`: the language calls the symbol, or it is used where it is written. */
export function specialUse(
  { graph, textOf, view }: UnreferencedInput,
  place: SymbolPlace,
): Reservation | 'entry' | null {
  const symbol = graph.symbol(place);
  const { path, language } = view.files[place.file]!;
  const rules = nameRulesOf(language);
  if (BY_LANGUAGE.test(symbol.name) || symbol.name === rules.main || rules.entryFile?.test(path)) return 'entry';
  if (graph.isConstructor(place)) return 'entry';
  // With structural interfaces, an external interface may require any public method.
  if (rules.methodShape && symbol.kind === 'method' && symbol.visibility === 'public') return 'inherited';
  if (graph.overridden(place).length > 0 || graph.hasOutsideSupers(place)) return 'inherited';
  const lines = textOf(place.file).split('\n');
  if (EXPRESSION.test((lines[symbol.nameLine - 1] ?? '').slice(0, symbol.nameColumn - 1))) return 'entry';
  const attributes = lines.slice(Math.max(0, symbol.fullStartLine - 1), symbol.nameLine);
  return attributes.some((line) => ATTRIBUTE.test(line) && !PLAIN_ATTRIBUTE.test(line)) ? 'annotated' : null;
}
