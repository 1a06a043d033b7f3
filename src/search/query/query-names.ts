/** The query in the form in which definitions are compared with it: words, neighbouring words, names. */
import { nameKey } from '../../model/text/terms.ts';
import type { WordShare } from '../scoring/score-files.ts';
import { type WordPair, wordPairs } from './match-text.ts';
import type { Understood } from './understand-query.ts';

export interface QueryNames {
  readonly words: readonly WordShare[];
  /** Neighbouring words of the question. */
  readonly pairs: readonly WordPair[];
  /** Identifiers and their segments as written. */
  readonly identifiers: ReadonlySet<string>;
  /** The identifiers as nameKey(). */
  readonly identifierKeys: ReadonlySet<string>;
  readonly compounds: ReadonlySet<string>;
  readonly plainWords: ReadonlySet<string>;
  /** Function names in the frames of a stack trace. */
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

/** A stack frame: `in total` of Python, `at Cart.total (` of JavaScript and the JVM. */
const FRAME =
  /(?:^|\n)\s*(?:File ".+", line \d+, in ([\w<>]+)|at (?:async )?(?:new )?(?:[\w$<>]+[./])*([\w$<>]+) ?\()/g;

function tracedNames(text: string): ReadonlySet<string> {
  if (!text.includes('\n')) return new Set();
  return new Set([...text.matchAll(FRAME)].map(([, python, other]) => python ?? other!));
}
