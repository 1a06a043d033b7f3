/** Whom a text addresses, and in whose name it claims to speak. */
import { pattern } from '../text/pattern.ts';
import type { InstructionFeature } from './instruction-feature.ts';
import { anywhere, either, MODEL, onLines, said, signs, together, whole } from './sentence-patterns.ts';

/** "AI reviewers: …", "Agents working here run …", at the beginning of a line or a sentence. */
const VOCATIVE = new RegExp(
  `(?:^[ \\t/*#>(-]*|[.!?(\\]] ?|<!--\\s*|\\bfor |\\bto )(?:dear |hey |hello |attention |@|any |all |the ` +
    `){0,2}${MODEL}(?: ` +
    `(?:(?:reading|that|who|which|working|processing|comparing)[^:,.\\n]{0,40}[:,]|(?:reading|working|operating) ` +
    `(?:here|this|in)\\b)|\\s?[:,])`,
  'mu',
);

export const STANDING_FEATURES: readonly InstructionFeature[] = [
  {
    name: 'addressee',
    weight: 0.4,
    needs: [
      'agent agents ai ais assistant assistants bot bots chatbot chatbots chatgpt claude codex coder coders ' +
        'copilot gemini gpt linter linters llm llms model models reviewer reviewers scanner scanners',
    ],
    holds: either(
      said(
        whole(
          `if you(?: are|'re) (?:an? |the )?(?:[a-z-]+ )?${MODEL}`,
          '(?:notes?|notice|message|attention|instructions?|reminder|hint) (?:to|for) (?:the |any |all |every ' +
            `)?${MODEL}`,
          `(?:any|every|all|automated) ${MODEL} (?:that|who|which|reading|working|processing)`,
          `${MODEL}(?!')(?: [^\\s.,]+){0,5} (?:must|should|have to|has to|are to|shall|is to|need to|are not to)`,
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
      <\||\[inst\]|<<sys>>|<\/(?:tool|function|system|instructions|user_query|document)|assistant\s*:|#\s*system
      |["']role["']|(?:system|admin|administrator|developer)(?: [a-z]+){0,5}\s?:|end of
    `,
    holds: either(
      onLines(
        /<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id)\|>/,
        /\[inst\][\s\S]{3,400}\[\/inst\]|<<sys>>/,
        /<\/(?:tool_result|tool_response|function_results?|system|instructions|user_query|document)>/,
        /^[ \t/*#]*(?:human|user)\s*:[^\n]+\n[ \t/*#]*assistant\s*:/m,
        /^[ \t]*#{1,6}\s*system(?: prompt| message)?:?\s*\n\s*you\b/m,
        /["']role["']\s*:\s*["']system["']\s*,\s*["']content["']\s*:\s*["']you (?:must|are|will)/,
      ),
      anywhere(
        signs(
          pattern()`
            (?:^|[.!?] )(?:system|administrator|admin|developer)(?: (?:notice|message|note|prompt|override))?
            (?: (?:to|for) [^:]{0,30})?\s?:(?=[^.]{0,80}\b(?:you|user|assistant|agent|must)\b)
          `,
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
          (?:^|[\n.!?[(<%{] ?)(?:the )?(?:system|admin|administrator|moderator|developer|security|hidden|ai|secret)
          [ _](?:note|notice|override|update|command|memo|instructions?)(?: (?:to|for|from) [^:]{0,40})?\s?[:>]
        `,
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
    weight: 0.3,
    needs: [
      'approved authorised authorized granted cleared audited permitted authorise authorize owner verified ' +
        'whitelisted exempt',
      'by advance this following has have was were been is are i as',
    ],
    holds: said(
      whole(
        '(?:already |in advance )?(?:been )?(?:approved|authori[sz]ed|granted|cleared|audited|permitted) ' +
          '(?:by|in advance|this|the following)',
        '(?:has|have|was|were) (?:already )?(?:been )?(?:approved|authori[sz]ed|granted|cleared|audited)',
        'i authori[sz]e|as the owner',
        '(?:been|is|are) (?:verified|whitelisted|exempt|authori[sz]ed to)',
      ),
    ),
  },
];
