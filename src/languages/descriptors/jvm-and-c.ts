import type { LanguageDescriptor } from '../language.ts';

export const JVM_AND_C: readonly LanguageDescriptor[] = [];
