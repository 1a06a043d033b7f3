/** How a language tells text from code: comments stand in the descriptor, strings and what they take in stand here. */
export interface StringRules {
  /** `'x'` is a character; nothing else stands between single quotes. */
  readonly characters?: boolean;
  /** Strings may go on over lines without a mark of their own. */
  readonly multiline?: boolean;
  /** Backquotes set names apart. */
  readonly quotedNames?: boolean;
  /** The beginning of code inside of a string; global. */
  readonly interpolation?: RegExp;
  /** The only quote whose strings take code in; all where it is not given. */
  readonly interpolatingQuote?: string;
  /** The prefix of a string that takes code in. */
  readonly interpolatingPrefix?: RegExp;
  /** The end of a raw string, from its quote and the six signs before it; '' where it is none. */
  readonly rawEnd?: (quote: string, before: string) => string;
  /** A sign that belongs to a name. */
  readonly namePart?: RegExp;
  /** Comments besides those of the descriptor, up to the end of the line. */
  readonly moreComments?: readonly RegExp[];
  /** Code stands between these marks; the rest of the file is text. */
  readonly codeMarks?: readonly [open: string, close: string];
}
