import type { LanguageDescriptor } from '../language.ts';

export const SCRIPTING: readonly LanguageDescriptor[] = [];
