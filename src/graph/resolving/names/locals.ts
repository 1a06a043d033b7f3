/** Finds the local variable or parameter that a name is bound to in the functions around a place. */
import { CONTAINER_KINDS } from '../../../model/records/symbol.ts';
import type { GraphTree } from '../../graph-tree.ts';
import { findLocal, indentOf, type LocalValue } from '../../reading/find-local.ts';
import { parametersOf } from '../../reading/signature.ts';
import { FUNCTION_KINDS, VALUE_KINDS } from '../kinds.ts';
import type { Scope } from './lookup.ts';

export interface Local extends LocalValue {
  /** Ordinal of the symbol in whose scope the declared type or value is to be resolved. */
  readonly from: number;
}

export class Locals {
  readonly #tree: GraphTree;

  constructor(tree: GraphTree) {
    this.#tree = tree;
  }

  find(scope: Scope, name: string, boundary = -1): Local | null {
    const outermost = this.#functionAround(scope, boundary);
    const { symbols } = this.#tree.table(scope.file);
    const rules = this.#tree.rules(scope.file);
    if (outermost < 0 && (!rules.topBlocks || boundary >= 0)) return null;
    const first = outermost < 0 ? 1 : symbols[outermost]!.startLine;
    const lines = this.#tree.lines(scope.file);
    const hit = findLocal(lines, first, scope.line, scope.column, name, rules);
    // A declaration at top level is a symbol of the file and no local, unless its line opens a block.
    const isTopLevel = hit && outermost < 0 && indentOf(lines[hit.line - 1]!) === 0;
    const found = isTopLevel && !this.#opensBlock(lines, hit.line, scope) ? null : hit;
    const parameter = this.#parameter(scope, name, boundary);
    // A declaration in the body hides a parameter. On the line of the signature the parameter wins.
    if (found && (!parameter || found.line > symbols[parameter.from]!.startLine)) return { ...found, from: scope.from };
    return parameter ?? (found ? { ...found, from: scope.from } : null);
  }

  /** The line opens the block that contains the scope. */
  #opensBlock(lines: readonly string[], line: number, scope: Scope): boolean {
    return line === scope.line || /[{(]\s*$/.test(lines[line - 1]!);
  }

  /** The outermost function around a place: the search for locals ends at its first line. */
  #functionAround({ file, from }: Scope, boundary: number): number {
    const { symbols } = this.#tree.table(file);
    let found = -1;
    for (let at = from; at >= 0 && at !== boundary; at = symbols[at]!.parent) {
      if (CONTAINER_KINDS.has(symbols[at]!.kind) && found >= 0) break;
      if (FUNCTION_KINDS.has(symbols[at]!.kind) || (VALUE_KINDS.has(symbols[at]!.kind) && found < 0)) found = at;
    }
    return found;
  }

  #parameter({ file, from }: Scope, name: string, boundary: number): Local | null {
    const { symbols } = this.#tree.table(file);
    const rules = this.#tree.rules(file);
    for (let at = from; at >= 0 && at !== boundary; at = symbols[at]!.parent) {
      const symbol = symbols[at]!;
      if (!FUNCTION_KINDS.has(symbol.kind)) {
        if (CONTAINER_KINDS.has(symbol.kind)) return null;
        continue;
      }
      if (!symbol.signature.includes(name)) continue;
      const nameWithoutSign = name.replace(/^\$/, '');
      const parameter = parametersOf(symbol.signature, symbol.name, rules)?.find(
        (each) => each.name === nameWithoutSign,
      );
      const type = parameter?.type ?? rules.receiverType?.(symbol.signature, name);
      if (type !== undefined) return { type, value: '', element: false, part: 0, line: symbol.startLine, from: at };
      // A parameter without a type: `x => …`.
      const behind = symbol.signature.slice(symbol.signature.indexOf(symbol.name) + symbol.name.length);
      if (rules.impliedParameter?.(behind, name))
        return { type: '', value: '', element: false, part: 0, line: symbol.startLine, from: at };
    }
    return null;
  }
}
