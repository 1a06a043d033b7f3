/** What kind of question is it, and about which names? */
import type { ResearchAnswer } from '../../model/query.ts';

export interface Question {
  readonly kind: ResearchAnswer['question'];
  /** Names in the order the sentence has them. */
  readonly names: readonly string[];
}

const NAME = String.raw`[\`"']?([A-Za-z_$][\w$]*(?:(?:::|\.|#|->|\\)[A-Za-z_$][\w$]*)*)(?:\(\))?[\`"']?`;
const RULES: readonly { readonly kind: Question['kind']; readonly pattern: RegExp }[] = [
  {
    kind: 'implementations',
    pattern: new RegExp(
      String.raw`\b(?:implementations?|implementers?|implementors?|conformances?|subclasses|subtypes|conforming types?) (?:of|to|for) (?:the )?${NAME}`,
      'i',
    ),
  },
  {
    kind: 'implementations',
    pattern: new RegExp(
      String.raw`\b(?:what|which|who|types? that|classes that) (?:types? |classes )?(?:implements?|conforms? to|extends?|inherits?(?: from)?) (?:the )?${NAME}`,
      'i',
    ),
  },
  { kind: 'path', pattern: new RegExp(String.raw`\b(?:path|way|route|flow|chain) from ${NAME} to ${NAME}`, 'i') },
  {
    kind: 'path',
    pattern: new RegExp(String.raw`\bhow does ${NAME} (?:reach|get to|end up in|call|lead to|arrive at) ${NAME}`, 'i'),
  },
  { kind: 'callees', pattern: new RegExp(String.raw`\bwhat (?:does|do) ${NAME} (?:call|use|invoke|depend on)`, 'i') },
  { kind: 'callees', pattern: new RegExp(String.raw`\bcallees of ${NAME}`, 'i') },
  {
    kind: 'callers',
    pattern: new RegExp(
      String.raw`\b(?:what|who|which \w+) (?:calls?|uses?|invokes?) (?:the )?(?:function |method )?${NAME}`,
      'i',
    ),
  },
  {
    kind: 'callers',
    pattern: new RegExp(String.raw`\b(?:callers?|usages?|uses|references|call sites?) (?:of|to) (?:the )?${NAME}`, 'i'),
  },
  { kind: 'configuration', pattern: /\bwhere (?:is|are) (?:the )?(.+?) (?:configured|set up|set|defined in config)/i },
  {
    kind: 'dependants',
    pattern:
      /\bwhat (?:depends on|imports|would break if i change) (?:the )?(?:module |package |file )?[`"']?([\w@./-]+)[`"']?/i,
  },
  {
    kind: 'dependants',
    pattern: /\b(?:dependants?|dependents|importers) of (?:the )?(?:module |package |file )?[`"']?([\w@./-]+)[`"']?/i,
  },
];

export function readQuestion(query: string): Question {
  for (const { kind, pattern } of RULES) {
    const match = pattern.exec(query);
    if (match) return { kind, names: match.slice(1).filter((name): name is string => Boolean(name)) };
  }
  return { kind: 'open', names: [] };
}

/** `a.b::c#d` and paths, part by part. */
export function segmentsOf(name: string): string[] {
  return name.split(/::|->|[.#\\/]/).filter(Boolean);
}

/** Last segment of a qualified name. */
export function bareName(name: string): string {
  return segmentsOf(name).at(-1) ?? name;
}
