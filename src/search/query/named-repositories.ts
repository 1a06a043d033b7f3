/**
 * Finds the repositories that a question to a workspace names: "how does tokio park a worker" means tokio. Inside one
 * repository, its own name distinguishes nothing.
 */
import { rawParts } from '../../model/text/terms.ts';

/** Shorter parts of a repository's name occur in many questions: "go", "js", "api". */
const MIN_PART_LENGTH = 4;

/** Null if the question names no repository, or all of them. */
export function namedRepositories(query: string, repositories: readonly string[]): ReadonlySet<string> | null {
  const words = new Set((query.match(/[A-Za-z0-9_]+/g) ?? []).flatMap((word) => [word, ...rawParts(word)].map(lower)));
  const uses = new Map<string, number>();
  const partsOf = new Map(
    repositories.map((name) => {
      const parts = name.toLowerCase().split(/[^a-z0-9]+/);
      for (const part of new Set(parts)) uses.set(part, (uses.get(part) ?? 0) + 1);
      return [name, parts];
    }),
  );
  const isNamed = (name: string) => {
    const parts = partsOf.get(name)!;
    if (parts.every((part) => words.has(part))) return true;
    return parts.some((part) => part.length >= MIN_PART_LENGTH && uses.get(part) === 1 && words.has(part));
  };
  const named = repositories.filter(isNamed);
  return named.length > 0 && named.length < repositories.length ? new Set(named) : null;
}

function lower(word: string): string {
  return word.toLowerCase();
}
