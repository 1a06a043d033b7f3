/** The forms of string literals in a language. Comments are described by the descriptor. */
export interface StringRules {
  /** Single quotes enclose one character: `'x'`. */
  readonly characters?: boolean;
  /** A string may span lines without a special quote. */
  readonly multiline?: boolean;
  /** Backquotes enclose names. */
  readonly quotedNames?: boolean;
  /** The beginning of interpolated code in a string; global. */
  readonly interpolation?: RegExp;
  /** The only quote whose strings interpolate code; absent: all do. */
  readonly interpolatingQuote?: string;
  /** The prefix of strings that interpolate code. */
  readonly interpolatingPrefix?: RegExp;
  /** The end of a raw string, from its quote and the six characters before it; '' for other strings. */
  readonly rawEnd?: (quote: string, before: string) => string;
  /** A character of a name. */
  readonly namePart?: RegExp;
  /** Line comments besides those of the descriptor. */
  readonly moreComments?: readonly RegExp[];
  /** Marks that enclose code; the rest of the file is text. */
  readonly codeMarks?: readonly [open: string, close: string];
}
