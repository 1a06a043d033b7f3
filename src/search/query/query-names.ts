/** The query in the form that definitions are compared with: its words, its adjacent words, and its names. */
import { nameKey } from '../../model/text/terms.ts';
import type { WordShare } from '../scoring/score-files.ts';
import { type WordPair, wordPairs } from './match-text.ts';
import type { Understood } from './understand-query.ts';

export interface QueryNames {
  readonly words: readonly WordShare[];
  /** Words that stand side by side in the question. */
  readonly pairs: readonly WordPair[];
  /** As written, and as nameKey(). */
  readonly identifiers: ReadonlySet<string>;
  readonly identifierKeys: ReadonlySet<string>;
  readonly compounds: ReadonlySet<string>;
  readonly plainWords: ReadonlySet<string>;
  /** Names of functions that stand in a stack trace. */
  readonly traced: ReadonlySet<string>;
}

export function toQueryNames(understood: Understood, words: readonly WordShare[]): QueryNames {
  const { identifiers, compounds, intent, text } = understood;
  const written = intent === 'symbol' ? [...identifiers, text.replace(/\(\)$/, '')] : identifiers;
  const segments = written.flatMap((name) => [name, ...name.split(/::|->|[.#/\\]/)]).filter(Boolean);
  return {
    words,
    pairs: wordPairs(understood.gist ?? text, words),
    identifiers: new Set(segments),
    identifierKeys: new Set(segments.map(nameKey)),
    compounds: new Set(compounds),
    plainWords: new Set(understood.words),
    traced: tracedNames(text),
  };
}

/** `in total` of Python, `at Cart.total (` of JavaScript and the JVM. */
const FRAME =
  /(?:^|\n)\s*(?:File ".+", line \d+, in ([\w<>]+)|at (?:async )?(?:new )?(?:[\w$<>]+[./])*([\w$<>]+) ?\()/g;

function tracedNames(text: string): ReadonlySet<string> {
  if (!text.includes('\n')) return new Set();
  return new Set([...text.matchAll(FRAME)].map(([, python, other]) => python ?? other!));
}
