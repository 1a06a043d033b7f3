/**
 * The languages room: the list of languages, detection of a file's language, and parsing of a blob into symbols,
 * references and imports. It knows tree-sitter, and nothing of trees, stores or search.
 */

export type { CommentForm, LanguageDescriptor } from './language.ts';
export { detectLanguage, isAmbiguous, LANGUAGES, languageById, nameRulesOf, PLAIN_TEXT } from './registry.ts';
export { prepareParserRuntime } from './runtime/grammar/grammar.ts';
export { createParser } from './runtime/parse-source.ts';
