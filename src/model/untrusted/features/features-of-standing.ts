/** Features of the addressee of a text, and of the authority that it claims. */
import { pattern } from '../../text/pattern.ts';
import type { InstructionFeature } from './instruction-feature.ts';
import { anywhere, either, MODEL, ORDERS, onLines, said, signs, together, whole } from './sentence-patterns.ts';

/** "AI reviewers: …", "Agents working here run …", at the beginning of a line or a sentence. */
const VOCATIVE = new RegExp(
  '(?:^[ \\t/*#>(-]*|[!?(\\]] ?|\\. |["a-z]> ?|<!--\\s*|\\bfor |\\bto )(?:dear |hey |hello |attention ' +
    `|@|any |all |the ){0,2}${MODEL}(?: (?:(?:reading|that|who|which|working|processing|comparing|and|` +
    'of)[^:,.\\n]{0,40}[:,]|(?:reading|working|operating) (?:here|this|in)\\b)|\\s?[:,])',
  'mu',
);

/** A name directly before the order: "Dear AI, …", "to any AI agent: …", "LLM: …". */
const DIRECT = new RegExp(
  '(?:^[ \\t/*#>-]*|[.!?\\]] |["a-z]> ?|<!--\\s*)(?:(?:dear|hey|hello|attention|to|for|note to|note ' +
    `for|an|any|all|the|@|reviewers that are) ?){0,3}${MODEL}` +
    `(?: (?:reading|of|that|who|which|readers?)[^:,.\\n]{0,40})?\\s?[:,] ` +
    '?(?:please )?[a-z]',
  'mu',
);

export const STANDING_FEATURES: readonly InstructionFeature[] = [
  {
    name: 'direct_address',
    weight: 0.2,
    needs: [
      'agent agents ai ais assistant assistants bot bots chatbot chatbots chatgpt claude codex coder ' +
        'coders copilot gemini gpt linter linters llm llms model models reviewer reviewers scanner scanners',
    ],
    holds: onLines(DIRECT),
  },
  {
    name: 'your_rules',
    weight: 0.5,
    needs: ['your', 'rules guidelines policy policies instructions restrictions training constraints limits refuse'],
    holds: said(
      whole(
        '(?:none of |all of )?your (?:earlier |previous |prior |safety |original |ethical |usual |former ' +
          `)(?:[a-z]+ )?${ORDERS}`,
        `${ORDERS} (?:you were|you have been) (?:given|told|trained)`,
      ),
    ),
  },
  {
    name: 'addressee',
    weight: 0.4,
    needs: [
      'agent agents ai ais assistant assistants bot bots chatbot chatbots chatgpt claude codex coder ' +
        'coders copilot gemini gpt linter linters llm llms model models reader reviewer reviewers scanner ' +
        'scanners',
    ],
    holds: either(
      said(
        whole(
          `if you(?: are|'re) (?:an? |the )?(?:[a-z-]+ )?${MODEL}`,
          `(?:as an? (?:[a-z-]+ )?${MODEL},? you|you, (?:the|as an?|an?) (?:[a-z-]+ )?${MODEL})`,
          '(?:ai|llm|model|machine)-(?:generated|written|assisted) (?:code|text|answers|output)(?: ' +
            '[^\\s.]+){0,5} (?:must|should|has to|have to)',
          `${MODEL}(?: [^\\s.,:]+){0,5} (?:may|can|will) (?:now )?(?:execute|run|delete|send|ignore|bypass|skip)`,
          '(?:notes?|notice|message|attention|instructions?|reminder|hint) (?:to|for) (?:the |any |' +
            `all |every )?${MODEL}`,
          `(?:any|every|all|automated) ${MODEL} (?:that|who|which|reading|working|processing)`,
          `${MODEL}(?!')(?: [^\\s.,]+){0,5} (?:must|should|have to|has to|are to|shall|is to|need to|are not to)`,
          'the reader (?:must|should|has to|is to)',
          `[a-z]+ (?:that|who) are ${MODEL} ?:`,
          `(?:if|when) (?:an? |the )?${MODEL} (?:grades?|rates?|writes?|quotes?|edits?|is asked)`,
          `(?:^|[.!?] )(?:the |every |an? )?${MODEL} (?:uploads?|replaces?|sends?|deletes?|skips?|inserts?|` +
            'disables?|ignores?)',
          `when (?:an? |the )?${MODEL} (?:reads?|processes|summari[sz]es|reviews|answers|sees)`,
        ),
        signs(/(?:^|\s)@(?:agent|ai|assistant|copilot|claude|codex)\b/),
      ),
      onLines(VOCATIVE),
      together('assistant'),
    ),
  },
  {
    name: 'dialogue_marks',
    weight: 0.8,
    mayHold: pattern()`
        <\||\[inst\]|<<sys>>|<\/(?:tool|function|system|instructions|user_query|document)|
        <(?:function_calls|tool_call|invoke|system)|\[system|# ?instruction|assistant\s*:|
        #\s*system|["']role["']|(?:system|admin|administrator|developer)(?: [a-z]+){0,5}\s?:|
        end of `,
    holds: either(
      onLines(
        /<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id)\|>/,
        /\[inst\][\s\S]{3,400}\[\/inst\]|<<sys>>/,
        /<\/(?:tool_result|tool_response|function_results?|system|instructions|user_query|document)>/,
        /<(?:function_calls|tool_call|system-reminder|system_reminder|system_message)>|<invoke name=/,
        /^[ \t/*#>-]*\[(?:system|admin|developer)(?: (?:message|note|notice|prompt))?\][ :]/m,
        /^#{2,4} ?instruction:?[ \t]*\n[\s\S]{3,400}^#{2,4} ?(?:response|output|answer):?[ \t]*$/m,
        /^[ \t/*#]*(?:human|user)\s*:[^\n]+\n[ \t/*#]*assistant\s*:/m,
        /^[ \t]*#{1,6}\s*system(?: prompt| message)?:?\s*\n\s*you\b/m,
        /["']role["']\s*:\s*["']system["']\s*,\s*["']content["']\s*:\s*["']you (?:must|are|will)/,
      ),
      anywhere(
        signs(
          pattern()`
            (?:^|[.!?] )(?:system|administrator|admin|developer)(?: (?:notice|message|
            note|prompt|override))?(?: (?:to|for) [^:]{0,30})?\s?:(?=[^.]{0,80}\b(?:you|
            user|assistant|agent|must)\b)`,
          /end of (?:the )?(?:document|file|context|prompt)[\s\S]{0,80}(?:new )?(?:message|instructions?) (?:from|for)/,
        ),
      ),
    ),
  },
  {
    name: 'claimed_voice',
    weight: 0.5,
    needs: [
      'note notice override update command memo instruction instructions administrator developers inject',
      'system admin administrator moderator developer developers security hidden ai openai anthropic trust inject',
    ],
    holds: said(
      signs(
        pattern()`
          (?:^|[\n.!?[(<%{] ?)(?:the )?(?:system|admin|administrator|moderator|developer|
          security|hidden|ai|secret)[ _](?:note|notice|override|update|command|memo|
          instructions?)(?: (?:to|for|from) [^:]{0,40})?\s?[:>]`,
        /%%inject/,
      ),
      whole(
        'instructions? from (?:the |your )?(?:system|administrator|system administrator|developers?|openai|anthropic)',
        '(?:from|by) your (?:system administrator|developers|creators|maker)',
        'i am your (?:developer|creator|administrator)',
      ),
    ),
  },
  {
    name: 'authority',
    weight: 0.4,
    needs: [
      'approved authorised authorized granted cleared audited permitted authorise authorize owner verified ' +
        'whitelisted exempt confirmed agreed consented given signed permission consent authorisation ' +
        'authorization clearance required mandated requested wants expects asked needs requires',
      'by advance this following has have was were been is are i as to from of you',
    ],
    holds: said(
      whole(
        '(?:already |in advance )?(?:been )?(?:approved|authori[sz]ed|granted|cleared|audited|permitted) ' +
          '(?:by|in advance|this|the following)',
        '(?:has|have|was|were) (?:already )?(?:been )?(?:approved|authori[sz]ed|granted|cleared|audited)',
        'i authori[sz]e|as the owner',
        '(?:user|operator|owner|maintainers?|developer|administrator|customer)s?(?: of this [a-z]+)? ' +
          '(?:has|have) (?:already )?(?:pre-?)?(?:confirmed|approved|agreed|consented|given (?:permission|' +
          'consent)|signed off|authori[sz]ed)',
        '(?:you have|with) (?:full |explicit |prior )?(?:permission|consent|authori[sz]ation|clearance) (?:to|from|of)',
        '(?:required|mandated|requested) by (?:[a-z]+ )?(?:policy|compliance|legal|security|the user|management)',
        'the user (?:wants|expects|asked|needs|requires) you to',
        '(?:been|is|are) (?:verified|whitelisted|exempt|authori[sz]ed to)',
      ),
    ),
  },
];
