/** The room's edge: which languages there are, which one a file is in, and what a content of that language defines and uses. */
export { compileForFewFiles, tameWasmCompiler } from './grammar.ts';
export { keepMachineCode } from './keep-machine-code.ts';
export type { LanguageDescriptor } from './language.ts';
export { takeCodeAs } from './machine-code.ts';
export { createParser } from './parse-source.ts';
export { detectLanguage, isAmbiguous, LANGUAGES, languageById } from './registry.ts';
