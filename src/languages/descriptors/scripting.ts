import type { LanguageDescriptor } from '../language.ts';
import { ruby } from './ruby.ts';
import { swift } from './swift.ts';

export const SCRIPTING: readonly LanguageDescriptor[] = [ruby, swift];
