/** Reads the notations of code and traces in which a name is queried: removes what is no part of it, and splits it. */
import { pattern } from '../../model/text/pattern.ts';

/** Splits a qualified name in any notation. A `$` separates classes unless a symbol has it in its name. */
export function splitQuery(query: string, isSymbolName: (name: string) => boolean): string[] {
  return query
    .split(/::|->|[.#/\\]/)
    .flatMap((segment) => (/\w\$\w/.test(segment) && !isSymbolName(segment) ? splitJvmName(segment) : [segment]))
    .filter(Boolean);
}

/** Splits the JVM name of a nested class: `Client$Builder`, `Client$1`. */
function splitJvmName(segment: string): string[] {
  return segment.split('$').filter((part) => !/^\d*$/.test(part));
}

/** Modifiers and keyword before a defined name: `struct window`, `export class Cart`, `func (c *Cart) Total`. */
const DEFINITION_HEAD = pattern()`
    ^(?:(?:public|private|protected|internal|static|final|abstract|sealed|export|default|async|pub(?:\([\w:]+\))?|open
    |override|const|unsafe|extern|typedef|data|case)\s+)*(?:class|struct|enum|union|interface|protocol|trait|type
    |typealias|record|object|module|namespace|package|function|func|fun|fn|def|defp|defmodule|macro
    |#\s*define)\s+(?=[\w$@(])
  `;

const SELF_REFERENCE = /^(?:\$?this|self|cls)(?:\.|->|::)(?=\w)/;
const DEFINED_NAME = /^[\w$@]+(?:(?:::|[.#\\])[\w$]+)*[?!]?/;

/**
 * Removes the notation of code and traces: `(*Handler).Serve`, `@Injectable()`, `Store<T>.get(key)`, `List`1`,
 * `$this->solve`, `&str`, `Job.new/2`.
 */
export function stripNotation(name: string): string {
  const head = DEFINITION_HEAD.exec(name)?.[0] ?? '';
  if (head !== '') {
    const rest = name.slice(head.length).replace(/^\((?:\w+ +)?\*?(\w+)[^)]*\) +(?=\w)/, '$1.');
    return (DEFINED_NAME.exec(rest)?.[0] ?? rest).replace(SELF_REFERENCE, '');
  }
  const plain = name
    .replace(/\(\*(\w+)\)/g, '$1')
    .replace(/\([^()]*\)$/, '')
    .replace(/(?<=[\w?!])\/\d{1,2}$/, '')
    .replace(/(?<=\w)<[^<>]*>|(?<=\w)`\d+/g, '')
    .replace(/^[@&*]+(?=\w)/, '')
    .replace(SELF_REFERENCE, '');
  return plain === '' ? name : plain;
}
