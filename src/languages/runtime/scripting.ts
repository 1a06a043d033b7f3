import { bash } from '../bash/bash.ts';
import { dart } from '../dart/dart.ts';
import { elixir } from '../elixir/elixir.ts';
import { haskell } from '../haskell/haskell.ts';
import type { LanguageDescriptor } from '../language.ts';
import { lua } from '../lua/lua.ts';
import { ruby } from '../ruby/ruby.ts';
import { swift } from '../swift/swift.ts';
import { zig } from '../zig/zig.ts';

export const SCRIPTING: readonly LanguageDescriptor[] = [ruby, swift, elixir, lua, haskell, zig, bash, dart];
