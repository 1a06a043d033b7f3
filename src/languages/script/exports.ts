/** What a script exports beyond its declarations, read from its text: defaults, whole objects, other names, other files. */

export interface ScriptExports {
  /** The name that is the default export or the whole of `module.exports`, '' where it has none. */
  readonly whole: string;
  /** `module.exports = require('./lib/express')`: the source whose exports these are, '' where there is none. */
  readonly passedOn: string;
  /** `export { own as name }` without a source: own names by the names outside. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Lists that go on further are data. What follows a name is looked at once, from its beginning. */
const LIST = /^export\s*(?:type\b\s*)?\{([^}]{0,5000})\}(\s*from\b)?/gm;
const RENAMED = /(?<![\w$])([\w$]+)\s+as\s+([\w$]+)/g;

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
  };
}

function defaultExport(text: string, standard: string): string {
  const declared =
    /^export\s+default\b\s*(?:abstract\b\s*)?(?:async\b\s*)?(?:(?:function\b\s*\*?|class\b)\s*)?([A-Za-z_$][\w$]*)/m;
  return declared.exec(text)?.[1] ?? (standard || wholeExport(text));
}

function wholeExport(text: string): string {
  const assigned =
    /^(?:module\.)?exports\s*=\s*(?:module\.exports\s*=\s*)?(?:function\s+)?([A-Za-z_$][\w$]*)\s*(?:;\s*$|$|\()/m.exec(
      text,
    )?.[1] ??
    /^(?:var|let|const)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:exports\s*=\s*)?module\.exports\s*=/m.exec(text)?.[1] ??
    '';
  return /^(?:require|function|new|class)$/.test(assigned) ? '' : assigned;
}

/** `var f = require('./x').f`. */
export function requiredMember(signature: string): { readonly source: string; readonly name: string } | null {
  const written = /=\s*require\(\s*["']([^"']+)["']\s*\)\.([\w$]+)\s*;?$/.exec(signature);
  return written ? { source: written[1]!, name: written[2]! } : null;
}
