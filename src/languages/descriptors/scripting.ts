import type { LanguageDescriptor } from '../language.ts';
import { ruby } from './ruby.ts';

export const SCRIPTING: readonly LanguageDescriptor[] = [ruby];
