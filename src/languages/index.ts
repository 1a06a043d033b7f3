/**
 * The room's edge: which languages there are, which one a file is in, and what a content of that language defines and
 * uses.
 */

export type { CommentForm, LanguageDescriptor } from './language.ts';
export { detectLanguage, isAmbiguous, LANGUAGES, languageById, nameRulesOf, PLAIN_TEXT } from './registry.ts';
export { prepareParserRuntime } from './runtime/grammar/grammar.ts';
export { createParser } from './runtime/parse-source.ts';
