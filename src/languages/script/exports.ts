/** What a script exports beyond its declarations, read from its text: defaults, whole objects, other names, other files. */

export interface ScriptExports {
  /** The name that is the default export or the whole of `module.exports`, '' where it has none. */
  readonly whole: string;
  /** `module.exports = require('./lib/express')`: the source whose exports these are, '' where there is none. */
  readonly passedOn: string;
  /** `export { own as name }` without a source: own names by the names outside. */
  readonly renamed: ReadonlyMap<string, string>;
}

export function readExports(text: string): ScriptExports {
  const renamed = new Map<string, string>();
  for (const [, list] of text.matchAll(/^export\s*(?:type\s*)?\{([^}]*\bas\b[^}]*)\}(?!\s*from\b)/gm))
    for (const [, own, name] of list!.matchAll(/([\w$]+)\s+as\s+([\w$]+)/g)) renamed.set(name!, own!);
  return {
    whole: defaultExport(text),
    passedOn: /^(?:module\.)?exports\s*=\s*require\(\s*["']([^"']+)["']\s*\)/m.exec(text)?.[1] ?? '',
    renamed,
  };
}

function defaultExport(text: string): string {
  return (
    /^export\s+default\s+(?:abstract\s+)?(?:async\s+)?(?:function\b\s*\*?|class\b)?\s*([A-Za-z_$][\w$]*)/m.exec(
      text,
    )?.[1] ??
    /^export\s*\{[^}]*?\b([A-Za-z_$][\w$]*)\s+as\s+default\b/m.exec(text)?.[1] ??
    wholeExport(text)
  );
}

function wholeExport(text: string): string {
  const assigned =
    /^(?:module\.)?exports\s*=\s*(?:module\.exports\s*=\s*)?(?:function\s+)?([A-Za-z_$][\w$]*)\s*(?:;?\s*$|\()/m.exec(
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
