import type { LanguageDescriptor } from '../language.ts';

export const DOCUMENTS: readonly LanguageDescriptor[] = [];
