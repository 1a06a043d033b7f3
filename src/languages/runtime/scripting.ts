import type { LanguageDescriptor } from '../language.ts';
import { bash } from './bash.ts';
import { dart } from './dart.ts';
import { elixir } from './elixir.ts';
import { haskell } from './haskell.ts';
import { lua } from './lua.ts';
import { ruby } from './ruby.ts';
import { swift } from './swift.ts';
import { zig } from './zig.ts';

export const SCRIPTING: readonly LanguageDescriptor[] = [ruby, swift, elixir, lua, haskell, zig, bash, dart];
