/** Reads declarations by assignment: Ruby, Lua, Elixir, shell, Haskell. */
import { OPAQUE, type ReadDeclared, valued } from './declared.ts';

export const readAssigned: ReadDeclared = (before, after) => {
  const value = /^\s*(?:\|\|)?=(?![=>~])(.*)$/s.exec(after)?.[1];
  if (value !== undefined && /(?:^|[\s;(])(?:local\s+)?$/.test(before)) return valued(value);
  if (/\|[^|]*$/.test(before) && /^[^|]*\|/.test(after) && /(?:\{|\bdo)\s*\|[^|]*$/.test(before)) return OPAQUE;
  if (/\bfor\s+[\w\s,]*$/.test(before) && /^[\w\s,]*(?:\bin\b|<-|=)/.test(after)) return OPAQUE;
  if (/\b(?:local|fn)\s+[\w\s,]*$/.test(before)) return OPAQUE;
  return /\bfunction\s*\([^()]*$/.test(before) ? OPAQUE : null;
};
