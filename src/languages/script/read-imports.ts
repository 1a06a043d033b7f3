import type { ImportRecord } from '../../model/records/symbol.ts';
import { foldSpace } from '../runtime/extract/import-records.ts';

type Draft = Omit<ImportRecord, 'line'>;
type Name = { name: string; local: string };

const QUOTED = /^(["'`])(.*?)\1/s;

const REQUIRED = /^([\s\S]*?)\s*(?:=\s*)?\b(?:require|import)\s*\(\s*(["'`])(.*?)\2\s*\)?(?:\s*\.\s*([\w$]+)\s*$)?/;

/**
 * Reads `import …`, `export … from`, `const … = require(…)`, `import x = require(…)` and `import(…)`; nothing for other
 * statements.
 */
export function readScriptImports(statement: string): Draft[] {
  const required = REQUIRED.exec(statement);
  if (required && !/["'`]/.test(required[1]!)) return [readRequire(required[1]!, required[3]!, required[4] ?? '')];
  const plain = statement.replace(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (comment) =>
    /["'`]/.test(comment) && comment.startsWith('//') ? comment : ' ',
  );
  const text = foldSpace(plain);
  const match = /^(import|export)\b\s*(?:type\b(?!\s*(?:from|,))\s*)?([\s\S]*)$/.exec(text);
  if (!match) return [];
  const rest = match[2]!.trim();
  const bare = QUOTED.exec(rest);
  if (bare) return [{ source: bare[2]!, names: [], alias: '' }];
  const from = rest.lastIndexOf('from');
  if (from < 0) return [];
  const source = QUOTED.exec(rest.slice(rest.search(/\bfrom\s*["'`]/) + 4).trim())?.[2];
  if (source === undefined) return [];
  return [{ source, ...readClause(rest.slice(0, rest.search(/\bfrom\s*["'`]/)), match[1] === 'export') }];
}

function readClause(clause: string, isExport: boolean): { names: Name[]; alias: string } {
  const names: Name[] = [];
  let alias = '';
  const [open, close] = [clause.indexOf('{'), clause.lastIndexOf('}')];
  const hasBraces = open >= 0 && close > open;
  const outside = hasBraces ? clause.slice(0, open) + clause.slice(close + 1) : clause;
  for (const part of outside.split(',').map((piece) => piece.trim())) {
    const star = /^\*(?:\s*as\s+([\w$]+|["'].*["']))?$/.exec(part);
    if (star) {
      if (star[1]) alias = star[1];
      else names.push({ name: '*', local: '*' });
    } else if (part && !isExport) names.push({ name: 'default', local: part });
  }
  if (hasBraces) for (const part of clause.slice(open + 1, close).split(',')) addName(names, part);
  return { names, alias };
}

function addName(names: Name[], part: string): void {
  const [name, local] = part
    .trim()
    .replace(/^type\s+/, '')
    .split(/\s+as\s+/);
  if (name) names.push({ name: name.replace(/["']/g, ''), local: (local ?? name).replace(/["']/g, '').trim() });
}

/** `member`: the property that is read of the imported value at once: `const f = require('./x').f`. */
function readRequire(target: string, source: string, member: string): Draft {
  const binding = target
    .replace(/\bawait\b/, '')
    .replace(/^import\s+/, '')
    .replace(/=\s*$/, '')
    .trim();
  const brace = /^\{([\s\S]*)\}$/.exec(binding);
  const local = /^[\w$]+$/.test(binding) ? binding : '';
  if (member !== '') return { source, names: local === '' ? [] : [{ name: member, local }], alias: '' };
  if (!brace) return { source, names: [], alias: local };
  const names = brace[1]!
    .split(',')
    .map((part) =>
      part
        .replace(/=[\s\S]*$/, '')
        .split(':')
        .map((piece) => piece.trim()),
    )
    .filter(([name]) => name && !name.startsWith('...'))
    .map(([name, local]) => ({ name: name!, local: local || name! }));
  return { source, names, alias: '' };
}
