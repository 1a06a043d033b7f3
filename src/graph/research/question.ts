/** Reads a question about structure: its kind, and the names in it. */
import type { ResearchAnswer } from '../../model/records/query.ts';
import { escapePattern } from '../../model/text/escape-pattern.ts';

export interface Question {
  readonly kind: ResearchAnswer['question'];
  /** Names in the order of the sentence. */
  readonly names: readonly string[];
  /** The question asks for all uses, not only for calls. */
  readonly uses?: boolean;
  /** The question asks for tests only. */
  readonly tests?: boolean;
}

/**
 * A symbol, qualified or not, or a path. A mark at its end may belong to it (`save!`, `empty?`) or end the sentence.
 */
const NAME = String.raw`[\`"']?([A-Za-z_$@][\w$]*(?:(?:::|\.|#|->|\\|/|-)[A-Za-z_$@][\w$]*)*)(?:\(\))?/?[\`"']?`;
/** A path, or the name of a module. */
const FILE = String.raw`(?:(?:module|package|file|folder) )?[\`"']?([\w@./-]*[\w/])[\`"']?`;
const SORTS =
  'function|method|class|type|interface|protocol|struct|trait|enum|field|constant|variable|macro|module|package|' +
  'crate|library|file|folder';
const SORT = `(?:(?:${SORTS}) )?`;
/** The kind after the name: "the printer crate". */
const SORT_BEHIND = `(?: (?:${SORTS}))?`;
const WHO = String.raw`(?:(?:what|which)(?: \w+)?|who)`;
const STILL = '(?:(?:still|ever|actually|even|really) )?';
const CHANGE = 'chang|renam|remov|delet|modify|edit|mov|refactor|touch';
/** The name ends the question or a phrase of it; "the order of the arguments" is no symbol `order`. */
const END = String.raw`(?=\W*$| (?:in|on|to|from|for)\b)`;
/** The repository as a whole: "the gin project", but not "the auth system", which is a part. */
const WHOLE =
  String.raw`(?:(?:this|the|our|your|its|whole|entire) )*(?:(?:[\w.-]+ )?(?:project|repo|repository|code ` +
  '?base)|code|source(?: code| tree)?|app|application|system|program)';
const PARTS = 'modules|components|packages|layers|subsystems|parts';
const SUBTYPES =
  'implementations?|implementers?|implementors?|conformances?|subclasses|subtypes|conforming ' +
  'types?|(?:derived|child|inheriting) (?:class|type)(?:es|s)';
const SYMBOLS = 'symbols|functions|methods|classes|types|constants|macros|code|definitions|exports';
const UNUSED =
  '(?:(?:is|are) (?:unused|unreferenced|dead)|(?:is|are) (?:not|never) (?:used|called|referenced)|(?:has|have) ' +
  'no (?:known )?(?:references|callers|uses|usages)|nothing (?:uses|calls|references|refers to))';
interface Rule {
  readonly kind: Question['kind'];
  readonly uses?: boolean;
  readonly tests?: boolean;
  /** The rule applies only where the first name is spelled like code (`loadAll`, `Cart`) and not like a plain word. */
  readonly isCode?: boolean;
  readonly pattern: RegExp;
}
const RULES: readonly Rule[] = [
  // "What has no known references", "which functions in src/http are never called", "list unused code in M".
  {
    kind: 'unreferenced',
    pattern: new RegExp(
      String.raw`^\W*(?:what|which)(?: (?:of )?(?:the )?(?:${SYMBOLS}))?(?: in ${FILE})? ${UNUSED}(?: ` +
        String.raw`(?:anywhere|at all))?(?: in ${FILE})?\W*$`,
      'i',
    ),
  },
  {
    kind: 'unreferenced',
    pattern: new RegExp(
      String.raw`^\W*(?:(?:list|find|show|give me|is there|are there|any|all|what|which) )*(?:the ` +
        `)?(?:unused|unreferenced|dead|never[- ]called) (?:${SYMBOLS})(?: (?:is there|are there))?(?: in ` +
        String.raw`${FILE})?\W*$`,
      'i',
    ),
  },
  {
    kind: 'unreferenced',
    pattern: new RegExp(
      String.raw`^\W*(?:(?:list|find|show|give me|all) )*(?:the )?(?:${SYMBOLS}) (?:with no|without)(?: any)?(?: ` +
        String.raw`known)? (?:references|callers|uses|usages)(?: in ${FILE})?\W*$`,
      'i',
    ),
  },
  // "Which tests cover X", "tests for X", "where is X tested".
  {
    kind: 'callers',
    tests: true,
    pattern: new RegExp(
      String.raw`\b(?:what|which)(?: \w+)? tests? ` +
        '(?:cover|exercise|test|check|call|use|reach|run|hit|touch)(?:e?s)? (?:the ' +
        `)?${SORT}${NAME}${SORT_BEHIND}${END}`,
      'i',
    ),
  },
  {
    kind: 'callers',
    tests: true,
    pattern: new RegExp(
      String.raw`\btests? (?:of|for|covering|exercising) (?:the )?${SORT}${NAME}${SORT_BEHIND}${END}`,
      'i',
    ),
  },
  {
    kind: 'callers',
    tests: true,
    pattern: new RegExp(
      String.raw`(?:\b(?:where|how)|^\W*)\s*(?:is|are) (?:the )?${SORT}${NAME}${SORT_BEHIND} ${STILL}(?:unit[- ` +
        `])?(?:tested|covered by tests?)${END}`,
      'i',
    ),
  },
  // "Architecture overview", "give me an overview of the codebase", "what are the main modules": all of the question.
  {
    kind: 'architecture',
    pattern: new RegExp(
      String.raw`^(?=\W*\w+\W+\w|\W*architecture\W*$)\W*(?:please ` +
        ')?(?:(?:give|show|tell|draw|describe|explain|summari[sz]e|outline)(?: me| us)?(?: about)? ' +
        `|what(?: is|'s| are) |list )?(?:(?:an?|the|its|all|brief|short|quick|high[- ` +
        ']level|overall|general|main|project|code ' +
        '?base|repo|repository|code|system|software|module|program) ' +
        `)*(?:architecture|overview|structure|layout|organi[sz]ation|entry ?points?|${PARTS})(?: ` +
        String.raw`(?:overview|diagram|map|summary))?(?: (?:of|for|in) ${WHOLE})?\W*$`,
      'i',
    ),
  },
  {
    kind: 'architecture',
    pattern: new RegExp(
      String.raw`\bhow (?:is|are) ${WHOLE} (?:structured|organi[sz]ed|laid out|put ` +
        String.raw`together|divided|split|layered|architected)(?: (?:up|in(?:to)? (?:${PARTS})))*\W*$`,
      'i',
    ),
  },
  {
    kind: 'architecture',
    pattern: new RegExp(
      String.raw`\bhow do (?:the )?(?:main |different |various )?(?:${PARTS})(?: (?:of|in) ${WHOLE})? (?:depend ` +
        'on|relate to|hang|fit|work|connect to|interact with|belong) ?(?:each other|one ' +
        String.raw`another|together)\W*$`,
      'i',
    ),
  },
  {
    kind: 'implementations',
    pattern: new RegExp(String.raw`\b(?:${SUBTYPES}) (?:of|to|for) (?:the )?${SORT}${NAME}`, 'i'),
  },
  // "Which subclasses does X have", "does X have any subclasses", "list X's subclasses", "is X subclassed anywhere".
  {
    kind: 'implementations',
    pattern: new RegExp(
      String.raw`\b(?:${SUBTYPES}) (?:does|do) (?:the )?${SORT}${NAME}${SORT_BEHIND} have\W*$|\bdoes (?:the ` +
        String.raw`)?${SORT}${NAME}${SORT_BEHIND} have (?:any )?(?:${SUBTYPES})\W*$`,
      'i',
    ),
  },
  {
    kind: 'implementations',
    pattern: new RegExp(
      String.raw`^\W*(?:(?:all|list|show|find|what are|which are|give me) )*(?:the )?${NAME}(?:'s)? ` +
        String.raw`(?:${SUBTYPES})\W*$`,
      'i',
    ),
  },
  {
    kind: 'implementations',
    pattern: new RegExp(
      String.raw`(?:\b(?:where|how)|^\W*)\s*(?:is|are) (?:the )?${SORT}${NAME}${SORT_BEHIND} ` +
        String.raw`${STILL}(?:implemented by|extended by|subclassed|inherited)\b`,
      'i',
    ),
  },
  {
    kind: 'implementations',
    pattern: new RegExp(
      String.raw`\b(?:what|which|who|types? that|classes that) (?:(?:${SORTS})(?:e?s)? ` +
        ')?(?:implements?|conforms? to|extends?|subclass(?:es)?|inherits?(?: from)?|(?:derives?|is ' +
        `derived|are derived) from|includes?|mixes? in) (?:the )?${SORT}${NAME}`,
      'i',
    ),
  },
  { kind: 'path', pattern: new RegExp(String.raw`\b(?:path|way|route|flow|chain) from ${NAME} to ${NAME}`, 'i') },
  {
    kind: 'path',
    pattern: new RegExp(
      String.raw`\bhow does (?:the )?${SORT}${NAME} (?:reach|get to|end up in|call|lead to|arrive at) (?:the ` +
        `)?${SORT}${NAME}${END}`,
      'i',
    ),
  },
  // "How does X reach the view function": the goal is described, not named.
  {
    kind: 'path',
    isCode: true,
    pattern: new RegExp(
      String.raw`\bhow does (?:the )?${SORT}${NAME} (?:reach|get to|end up in|lead to|arrive at) ` +
        String.raw`(?:the |an? |its )?([a-z]+(?: [a-z]+){1,3})\W*$`,
      'i',
    ),
  },
  // "How does a ref change trigger a component re-render": neither end has a name.
  {
    kind: 'path',
    pattern: new RegExp(
      String.raw`\bhow does (?:an? |the )([a-z]+(?: [a-z-]+){1,3}?) (?:trigger|cause|lead to|result in|reach|` +
        String.raw`end up in|end up as|start) (?:an? |the )?([a-z]+[ -][a-z-]+(?: [a-z-]+){0,2})\W*$`,
      'i',
    ),
  },
  // "What breaks if I rename X", "what is affected when X changes", "impact of changing X".
  {
    kind: 'callers',
    uses: true,
    pattern: new RegExp(
      String.raw`\b(?:breaks?|affected) (?:if|when) (?:(?:i|we|you|one|someone) )?(?:${CHANGE})\w* (?:the ` +
        `)?${SORT}${NAME}${END}`,
      'i',
    ),
  },
  {
    kind: 'callers',
    uses: true,
    pattern: new RegExp(
      String.raw`\b(?:breaks?|affected) (?:if|when) (?:the )?${SORT}(?!(?:i|we|you|one|someone) )${NAME} ` +
        `(?:(?:is|gets) )?(?:${CHANGE})`,
      'i',
    ),
  },
  {
    kind: 'callers',
    uses: true,
    pattern: new RegExp(
      String.raw`\b(?:impact|effects?|consequences|affected) (?:of|by) (?:(?:${CHANGE})\w*|(?:a )?changes? ` +
        `(?:to|in|of)) (?:the )?${SORT}${NAME}${END}`,
      'i',
    ),
  },
  {
    kind: 'callees',
    pattern: new RegExp(
      String.raw`\bwhat (?:does|do) (?:the )?${SORT}${NAME}${SORT_BEHIND} (?:call|use|invoke|depend on|import)`,
      'i',
    ),
  },
  {
    kind: 'callees',
    pattern: new RegExp(String.raw`\b(?:callees|dependencies) of (?:the )?${SORT}${NAME}${SORT_BEHIND}${END}`, 'i'),
  },
  {
    kind: 'callers',
    pattern: new RegExp(String.raw`\b${WHO} (?:calls?|invokes?) (?:the )?${SORT}${NAME}`, 'i'),
  },
  {
    kind: 'callers',
    uses: true,
    pattern: new RegExp(String.raw`\b${WHO} (?:uses?|references?) (?:the )?${SORT}${NAME}`, 'i'),
  },
  {
    kind: 'callers',
    pattern: new RegExp(
      String.raw`\b(?:callers?|call sites?|call hierarchy) (?:of|to|for) (?:the )?${SORT}${NAME}`,
      'i',
    ),
  },
  // "Where is X called from", "is X still used anywhere", "does anything use X".
  {
    kind: 'callers',
    pattern: new RegExp(
      String.raw`\bwhere (?:is|are) (?:the )?${SORT}${NAME} ${STILL}(?:called|invoked)(?: from)?${END}`,
      'i',
    ),
  },
  {
    kind: 'callers',
    uses: true,
    pattern: new RegExp(
      String.raw`(?:\bwhere|^\W*)\s*(?:is|are) (?:the )?${SORT}${NAME} ` +
        `${STILL}(?:used|referenced|called|unused|dead)(?: (?:code|anywhere|at all|any ?more))?${END}`,
      'i',
    ),
  },
  {
    kind: 'callers',
    uses: true,
    pattern: new RegExp(
      String.raw`\b(?:does|do|is there) any(?:thing|one|body|where)?(?: \w+)? ` +
        `${STILL}(?:uses?|using|calls?|calling|references?|referencing) (?:the )?${SORT}${NAME}${END}`,
      'i',
    ),
  },
  {
    kind: 'callers',
    uses: true,
    pattern: new RegExp(String.raw`\b(?:usages?|uses|references) (?:of|to) (?:the )?${NAME}`, 'i'),
  },
  { kind: 'configuration', pattern: /\bwhere (?:is|are) (?:the )?(.+?) (?:configured|set up|set|defined in config)/i },
  {
    kind: 'dependants',
    pattern: new RegExp(String.raw`\b(?:what|who|which \w+) (?:depends? on|imports?) (?:the )?${FILE}`, 'i'),
  },
  {
    kind: 'dependants',
    pattern: new RegExp(String.raw`\b(?:dependants?|dependents|importers) of (?:the )?${FILE}`, 'i'),
  },
];

export function readQuestion(text: string): Question {
  // Go stack traces write a method as `proxy.(*Handler).Serve`.
  const query = text.replace(/\(\*(\w+)\)\./g, '$1.');
  for (const { kind, uses, tests, isCode, pattern } of RULES) {
    const match = pattern.exec(query);
    if (!match) continue;
    const names = match.slice(1).filter((name): name is string => Boolean(name));
    if (isCode && /^[a-z]+$/.test(names[0]!)) continue;
    return { kind, names, ...(uses && { uses }), ...(tests && { tests }) };
  }
  return { kind: 'open', names: [] };
}

/** The parts of a qualified name (`a.b::c#d`) or path. */
export function segmentsOf(name: string): string[] {
  return name.split(/::|->|[.#\\/]/).filter(Boolean);
}

/** The name without a mark that may end a name or a sentence. */
export function plainName(name: string): string {
  return name.replace(/[!?]$/, '');
}

/** The last part of a qualified name. */
export function bareName(name: string): string {
  return segmentsOf(name).at(-1) ?? name;
}

/** The question calls the name a module, package or file: "the printer crate" is no function `printer`. */
export function isPart(query: string, name: string): boolean {
  const parts = '(?:module|package|crate|library|file|folder)';
  const literal = escapePattern(name);
  return new RegExp(`\\b${parts} [\`"']?${literal}(?!\\w)|(?<!\\w)${literal}[\`"']? ${parts}\\b`, 'i').test(query);
}
