/** Reads the exports of a script that are no declarations: the default export, renamed and re-exported names. */
import type { ModuleExports } from '../name-rules.ts';

/** A longer list is data. The patterns look at each character a bounded number of times. */
const LIST = /^export\s*(?:type\b\s*)?\{([^}]{0,5000})\}(\s*from\b)?/gm;
const RENAMED = /(?<![\w$])([\w$]+)\s+as\s+([\w$]+)/g;
const REQUIRED = String.raw`[ \t]*require\([ \t]*["']([^"'\n]+)["'][ \t]*\)(?:\.([\w$]+))?[ \t]*`;
const ASSIGNED_REQUIRE = new RegExp(String.raw`^[ \t]*(?:module\.)?exports\.([\w$]+)\s*=${REQUIRED}(?:;|$)`, 'gm');
const OBJECT_REQUIRE = new RegExp(String.raw`(?<![\w$])([\w$]+)[ \t]*:${REQUIRED}(?=[,}\n]|$)`, 'g');

export function readExports(text: string): ModuleExports {
  const renamed = new Map<string, string>();
  let listedDefault = '';
  for (const [, list, from] of text.matchAll(LIST))
    for (const [, own, name] of list!.matchAll(RENAMED)) {
      if (from === undefined) renamed.set(name!, own!);
      if (name === 'default' && listedDefault === '') listedDefault = own!;
    }
  return {
    defaultName: defaultExport(text, listedDefault),
    forwardedSource: /^(?:module\.)?exports\s*=\s*require\(\s*["']([^"']+)["']\s*\)/m.exec(text)?.[1] ?? '',
    renamed,
    required: readRequired(text),
  };
}

function readRequired(text: string): ModuleExports['required'] {
  const required = new Map<string, { source: string; member: string }>();
  if (!text.includes('require(')) return required;
  const [, object] = /^(?:module\.)?exports\s*=\s*(\{[^}]{0,5000}\})/m.exec(text) ?? ['', ''];
  for (const [, name, source, member] of [...text.matchAll(ASSIGNED_REQUIRE), ...object!.matchAll(OBJECT_REQUIRE)])
    required.set(name!, { source: source!, member: member ?? '' });
  return required;
}

function defaultExport(text: string, listedDefault: string): string {
  const declared =
    /^export\s+default\b\s*(?:abstract\b\s*)?(?:async\b\s*)?(?:(?:function\b\s*\*?|class\b)\s*)?([A-Za-z_$][\w$]*)/m;
  return declared.exec(text)?.[1] ?? (listedDefault || assignedExport(text));
}

const ASSIGNED_NAME = new RegExp(
  String.raw`^(?:module\.)?exports\s*=\s*(?:module\.exports\s*=\s*)?` +
    String.raw`(?:(?:async\s+)?function\s*\*?\s*|class\s+)?([A-Za-z_$][\w$]*)\s*(?:;\s*$|$|\(|\bextends\b|\{)`,
  'm',
);

/** The name that is assigned to `module.exports`. */
function assignedExport(text: string): string {
  const assigned =
    ASSIGNED_NAME.exec(text)?.[1] ??
    /^(?:var|let|const)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:exports\s*=\s*)?module\.exports\s*=/m.exec(text)?.[1] ??
    '';
  return /^(?:require|function|new|class)$/.test(assigned) ? '' : assigned;
}
