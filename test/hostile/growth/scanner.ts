/** One scanner, matcher or parser under attack. */
export interface Scanner {
  /** `path#export`, or the language and its hook. */
  readonly name: string;
  readonly run: (text: string) => unknown;
  /** Text as people write it: its words and lines are what the attack is made of. */
  readonly sample?: string;
  /** Statements that are dangerous when repeated: tried in every run. */
  readonly repeats?: readonly string[];
  /** Callers pass no more characters than this. */
  readonly limit?: number;
}
