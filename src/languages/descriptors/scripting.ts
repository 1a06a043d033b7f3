import type { LanguageDescriptor } from '../language.ts';
import { elixir } from './elixir.ts';
import { lua } from './lua.ts';
import { ruby } from './ruby.ts';
import { swift } from './swift.ts';

export const SCRIPTING: readonly LanguageDescriptor[] = [ruby, swift, elixir, lua];
