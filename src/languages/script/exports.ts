/**
 * What a script exports beyond its declarations, read from its text: defaults, whole objects, other names, other files.
 */

export interface ScriptExports {
  /** The name that is the default export or the whole of `module.exports`, '' where it has none. */
  readonly whole: string;
  /** `module.exports = require('./lib/express')`: the source whose exports these are, '' where there is none. */
  readonly passedOn: string;
  /** `export { own as name }` without a source: own names by the names outside. */
  readonly renamed: ReadonlyMap<string, string>;
  /**
   * `exports.g = require('./g')`: sources by the names outside, with the member that is taken of each, '' for the
   * whole.
   */
  readonly required: ReadonlyMap<string, { readonly source: string; readonly member: string }>;
}

/** Lists that go on further are data. What follows a name is looked at once, from its beginning. */
const LIST = /^export\s*(?:type\b\s*)?\{([^}]{0,5000})\}(\s*from\b)?/gm;
const RENAMED = /(?<![\w$])([\w$]+)\s+as\s+([\w$]+)/g;
const REQUIRED = String.raw`[ \t]*require\([ \t]*["']([^"'\n]+)["'][ \t]*\)(?:\.([\w$]+))?[ \t]*`;
const GIVEN = new RegExp(String.raw`^[ \t]*(?:module\.)?exports\.([\w$]+)\s*=${REQUIRED}(?:;|$)`, 'gm');
const ENTRY = new RegExp(String.raw`(?<![\w$])([\w$]+)[ \t]*:${REQUIRED}(?=[,}\n]|$)`, 'g');

export function readExports(text: string): ScriptExports {
  const renamed = new Map<string, string>();
  let standard = '';
  for (const [, list, from] of text.matchAll(LIST))
    for (const [, own, name] of list!.matchAll(RENAMED)) {
      if (from === undefined) renamed.set(name!, own!);
      if (name === 'default' && standard === '') standard = own!;
    }
  return {
    whole: defaultExport(text, standard),
    passedOn: /^(?:module\.)?exports\s*=\s*require\(\s*["']([^"']+)["']\s*\)/m.exec(text)?.[1] ?? '',
    renamed,
    required: readRequired(text),
  };
}

function readRequired(text: string): ScriptExports['required'] {
  const required = new Map<string, { source: string; member: string }>();
  if (!text.includes('require(')) return required;
  const [, object] = /^(?:module\.)?exports\s*=\s*(\{[^}]{0,5000}\})/m.exec(text) ?? ['', ''];
  for (const [, name, source, member] of [...text.matchAll(GIVEN), ...object!.matchAll(ENTRY)])
    required.set(name!, { source: source!, member: member ?? '' });
  return required;
}

function defaultExport(text: string, standard: string): string {
  const declared =
    /^export\s+default\b\s*(?:abstract\b\s*)?(?:async\b\s*)?(?:(?:function\b\s*\*?|class\b)\s*)?([A-Za-z_$][\w$]*)/m;
  return declared.exec(text)?.[1] ?? (standard || wholeExport(text));
}

const ASSIGNED = new RegExp(
  String.raw`^(?:module\.)?exports\s*=\s*(?:module\.exports\s*=\s*)?` +
    String.raw`(?:(?:async\s+)?function\s*\*?\s*|class\s+)?([A-Za-z_$][\w$]*)\s*(?:;\s*$|$|\(|\bextends\b|\{)`,
  'm',
);

function wholeExport(text: string): string {
  const assigned =
    ASSIGNED.exec(text)?.[1] ??
    /^(?:var|let|const)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:exports\s*=\s*)?module\.exports\s*=/m.exec(text)?.[1] ??
    '';
  return /^(?:require|function|new|class)$/.test(assigned) ? '' : assigned;
}
