/** Every function and pattern by which a language reads text, as its descriptor and its rules of names and strings hold them. */

import { LANGUAGES } from '../../../src/languages/registry.ts';
import { foldSpace } from '../../../src/languages/runtime/extract/import-records.ts';
import { listFixtures } from '../../../src/languages/runtime/testing/snapshots.ts';
import type { SymbolRecord } from '../../../src/model/records/symbol.ts';
import type { Scanner } from './scanner.ts';

type Hook = (...values: unknown[]) => unknown;

/** Signatures and names that hooks get are cut before: MAX_SIGNATURE and MAX_NAME of the extractor, four times as long while they are read. */
const SIGNATURE = 1600;
const NAME = 800;
/** What find-local.ts shows of a line. */
const AROUND = 1000;

const onText = (hook: Hook, text: string) => hook(text, text, text);
const onSignature = (hook: Hook, text: string) => hook(text, 'a', null, text);
const onLines = (hook: Hook, text: string) => hook(text.split('\n'), text.split('\n').length, 'a.c');

/** How each hook is called; a hook that is not listed is a mistake here. */
export const HOOKS: Readonly<
  Record<string, { readonly call: (hook: Hook, text: string) => unknown; readonly limit?: number }>
> = {
  scan: { call: onLines },
  mask: { call: onText },
  readImports: { call: (hook, text) => hook(foldSpace(text)) },
  refine: { call: (hook, text) => hook(symbols(text), text) },
  nameOf: { call: onText, limit: NAME },
  receiverOf: { call: onText, limit: NAME },
  keepReference: { call: onText, limit: NAME },
  visibilityOf: { call: onSignature, limit: SIGNATURE },
  kindOf: { call: (hook, text) => hook('function', 'a', null, text), limit: SIGNATURE },
  qualify: { call: (hook, text) => hook(text, text, text, 'method'), limit: NAME },
  continues: { call: onText, limit: SIGNATURE },
  'names.readDeclared': { call: onText, limit: AROUND },
  'names.isConditional': { call: onLines },
  'names.methodShape': { call: onSignature, limit: SIGNATURE },
  'names.assertedType': { call: onSignature, limit: SIGNATURE },
  'names.aliasedText': { call: onSignature, limit: SIGNATURE },
  'names.writesAlias': { call: onSignature },
  'names.readExports': { call: onText },
  'names.entryManifests.read': { call: onText },
  'names.requiredMember': { call: onSignature, limit: SIGNATURE },
  'names.returnedTable': { call: onText },
  'names.builtin': { call: onSignature, limit: SIGNATURE },
  'names.readResult': { call: onSignature, limit: SIGNATURE },
  'names.receiverType': { call: onSignature, limit: SIGNATURE },
  'names.impliedParameter': { call: onSignature, limit: SIGNATURE },
  'names.elementType': { call: onSignature, limit: SIGNATURE },
  'names.madeBy': { call: onSignature, limit: SIGNATURE },
  'names.mentions.quoted': { call: onText },
  'names.mentions.signed': { call: onText },
  'names.mentions.isLabel': { call: onText },
  'strings.rawEnd': { call: onText, limit: 8 },
};

/** Resolving an import asks the tree and reads no text. */
const NOT_TEXT = new Set(['imports.over']);
/** Tested on paths. */
const PATTERN_OF_PATHS = /^names\.(?:testFile|header|entryFile)$|^(?:paths|tests)\./;

export function languageScanners(): Scanner[] {
  const samples = new Map(listFixtures().map(({ language, text }) => [language.id, text]));
  return LANGUAGES.flatMap((language) => {
    const sample = samples.get(language.id) ?? '';
    return hooksOf(language).map(({ path, value }): Scanner => {
      const name = `${language.id}: ${path}`;
      if (value instanceof RegExp) return { name, sample, run: (text) => text.replace(value, '') };
      const known = HOOKS[path];
      if (!known) throw new Error(`${name} is not listed among the hooks in language-scanners.ts`);
      return { name, sample, run: (text) => known.call(value, text), ...(known.limit && { limit: known.limit }) };
    });
  });
}

function hooksOf(owner: object, prefix = ''): { readonly path: string; readonly value: Hook | RegExp }[] {
  return Object.entries(owner).flatMap(([key, value]) => {
    const path = prefix + key;
    if (NOT_TEXT.has(path) || PATTERN_OF_PATHS.test(path)) return [];
    if (typeof value === 'function' || value instanceof RegExp) return [{ path, value: value as Hook | RegExp }];
    return isRecord(value) ? hooksOf(value, `${path}.`) : [];
  });
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Set) && !(value instanceof Map);
}

/** A symbol for every 64 characters, on lines all over the text. */
function symbols(text: string): SymbolRecord[] {
  const lines = text.split('\n');
  return Array.from({ length: text.length >> 6 }, (_, i): SymbolRecord => {
    const line = Math.floor((i * lines.length) / (text.length >> 6));
    return {
      ...{ name: 'a', kind: 'function', parent: -1, qualifiedName: 'a', doc: '', visibility: 'public', nameColumn: 1 },
      signature: lines[line]!.slice(0, 400),
      ...{ fullStartLine: line + 1, startLine: line + 1, endLine: line + 1, nameLine: line + 1 },
    };
  });
}
