/** The room's edge: which languages there are, which one a file is in, and what a content of that language defines and uses. */

export type { LanguageDescriptor } from './language.ts';
export { detectLanguage, isAmbiguous, LANGUAGES, languageById, nameRulesOf } from './registry.ts';
export { compileForFewFiles, tameWasmCompiler } from './runtime/grammar/grammar.ts';
export { keepMachineCode } from './runtime/grammar/keep-machine-code.ts';
export { takeCodeAs } from './runtime/grammar/machine-code.ts';
export { createParser } from './runtime/parse-source.ts';
