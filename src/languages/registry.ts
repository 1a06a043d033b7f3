/** The list of languages, and detection of a file's language. */

import { nameOf } from '../model/text/path-text.ts';
import { pattern } from '../model/text/pattern.ts';
import * as all from './all-languages.ts';
import type { LanguageDescriptor } from './language.ts';
import { type NameRules, nameRules } from './name-rules.ts';

export const LANGUAGES: readonly LanguageDescriptor[] = Object.values(all);

/**
 * Patterns for extensions that several languages share: the first match in the content wins, else the last language.
 * Only for extensions that are shared in practice, because a run without changes reads every such file again; `.ts` is
 * always TypeScript and never a Qt translation.
 */
const SHARED: Readonly<Record<string, readonly (readonly [id: string, rule: RegExp | null])[]>> = {
  '.h': [
    [
      'cpp',
      pattern('m')`
        ^[ \t]*(?:class|namespace|template|using)\b[^;"]{0,400}[{<;]|^[ \t]*(?:public|private|protected)\s*:|\bstd::
        |#include\s*<(?:[a-z_]+|c[a-z]+)>
      `,
    ],
    ['c', null],
  ],
  '.inc': [
    ['php', /<\?(?:php|=)/],
    ['cpp', /^[ \t]*(?:class|namespace|template)\b|\bstd::/m],
    ['c', null],
  ],
};

/** The id of plain text, and of files in an unknown language. */
export const PLAIN_TEXT = 'text';

const byId = new Map<string, LanguageDescriptor>();
const byExtension = new Map<string, LanguageDescriptor>();
const byFileName = new Map<string, LanguageDescriptor>();
const byInterpreter = new Map<string, LanguageDescriptor>();
for (const language of LANGUAGES) {
  for (const id of [language.id, ...language.aliases]) if (!byId.has(id)) byId.set(id, language);
  for (const extension of language.extensions) if (!byExtension.has(extension)) byExtension.set(extension, language);
  for (const name of language.fileNames) if (!byFileName.has(name)) byFileName.set(name, language);
  for (const word of language.interpreters) if (!byInterpreter.has(word)) byInterpreter.set(word, language);
}

/** A language by id or alias, in any case; null for an unknown one. */
export function languageById(idOrAlias: string): LanguageDescriptor | null {
  return byId.get(idOrAlias.toLowerCase()) ?? null;
}

/** The ids that a filter for a language selects: its own and those of its variants. Empty for an unknown name. */
export function languagesMeantBy(idOrAlias: string): readonly string[] {
  const id = languageById(idOrAlias)?.id;
  return LANGUAGES.filter(
    (language) => language.id === id || (language.variantOf !== undefined && language.variantOf === id),
  ).map((language) => language.id);
}

/** The file name does not decide the language, so the content must be read. */
export function isAmbiguous(path: string): boolean {
  const name = nameOf(path);
  if (byFileName.has(name)) return false;
  const dot = name.lastIndexOf('.');
  return dot < 0 || Object.hasOwn(SHARED, name.slice(dot).toLowerCase());
}

/**
 * Detects the language of a file by its name and, where that is ambiguous, by the beginning of its content (the first
 * line for `#!`, a few kilobytes for headers). Null: unknown.
 */
export function detectLanguage(path: string, head = ''): LanguageDescriptor | null {
  const name = nameOf(path);
  const exact = byFileName.get(name);
  if (exact) return exact;
  const lower = name.toLowerCase();
  // The longest known extension wins: ".blade.php" before ".php".
  for (let dot = lower.indexOf('.'); dot >= 0; dot = lower.indexOf('.', dot + 1)) {
    const extension = lower.slice(dot);
    const shared = head && Object.hasOwn(SHARED, extension) ? SHARED[extension] : undefined;
    if (shared) {
      const choice = shared.find(([id, rule]) => byId.has(id) && (rule === null || rule.test(head)));
      return choice ? byId.get(choice[0])! : null;
    }
    const known = byExtension.get(extension);
    if (known) return known;
  }
  // A known name with a suffix: "Dockerfile.dev", "Makefile.linux", "LICENSE-MIT". "Gemfile.lock" is a list, not a
  // program.
  const stem = name.endsWith('.lock') ? '' : (/^(.+?)[.-]/.exec(name)?.[1] ?? '');
  return interpreterOf(head) ?? (/^[A-Z]/.test(stem) ? (byFileName.get(stem) ?? null) : null);
}

function interpreterOf(head: string): LanguageDescriptor | null {
  const line = /^\ufeff?#!([^\n]*)/.exec(head)?.[1];
  if (!line) return null;
  for (const word of line.split(/[\s/]+/)) {
    const known = byInterpreter.get(word) ?? byInterpreter.get(word.replace(/[\d.]+$/, ''));
    if (known) return known;
  }
  return null;
}

const namesByLanguage = new Map<string, NameRules>();

/** The name rules of a language, by its id. */
export function nameRulesOf(id: string): NameRules {
  let known = namesByLanguage.get(id);
  if (!known) {
    known = byId.get(id)?.names ?? nameRules({ family: id });
    namesByLanguage.set(id, known);
  }
  return known;
}
