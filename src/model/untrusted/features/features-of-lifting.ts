/** Features of a text that tries to lift the reader's own instructions and limits. */
import { pattern } from '../../text/pattern.ts';
import type { InstructionFeature } from './instruction-feature.ts';
import {
  affirmed,
  anywhere,
  either,
  GIVEN,
  LIFT,
  NOT_OF_FILES,
  ORDERS,
  OWN,
  said,
  signs,
  together,
  whole,
} from './sentence-patterns.ts';

export const LIFTING_FEATURES: readonly InstructionFeature[] = [
  {
    name: 'override',
    weight: 1,
    needs: [
      'ignore disregard forget discard abandon override overrule bypass neglect disobey set drop follow ' +
        'obey void invalid obsolete cancelled suspended stop quit cease',
      'instructions prompt prompts guidelines directive directives orders operator developer owner ' +
        'system administrator company policy policies constraints restrictions programming training rules ' +
        'request requests message messages task tasks context user everything anything before above earlier ' +
        'told all',
    ],
    holds: either(
      said(
        affirmed(
          `${LIFT} (?:${GIVEN} ){0,5}${OWN}(?: ${GIVEN}){0,3} ${ORDERS}${NOT_OF_FILES}`,
          `${LIFT} (?:all |the )?(?:everything|anything|all)(?: (?:you|that|which|said|were|was|told|` +
            'know|written)){0,5} (?:above|before|earlier|told|so far|previously)(?! (?:the|an?|it|its|' +
            'each|every|any|that)\\b)',
          `${LIFT} the ${ORDERS} (?:that )?you (?:were|have|had|got|received)`,
          `${LIFT} the user(?! (?:agent|interface|name|id|guide))`,
          `${LIFT} (?:what(?:ever)?|anything|everything|all) (?:that )?(?:your|the) (?:operator|user|` +
            'developer|owner|system|administrator|company|maker)s?',
          `(?:stop|quit|cease) (?:following|obeying|listening to) (?:${GIVEN} ){0,3}(?:${ORDERS}|user(?! ` +
            `agent))${NOT_OF_FILES}`,
        ),
        whole(
          `your (?:previous |prior |earlier |original )?${ORDERS} (?:are|is) (?:void|invalid|obsolete|` +
            'cancelled|suspended)',
        ),
      ),
      together('ignore', 'earlier', 'instructions'),
    ),
  },
  {
    name: 'precedence',
    weight: 0.9,
    needs: [
      'precedence supersede supersedes override overrides outrank outranks prevail prevails replace ' +
        'replaces apply exception exceptions new updated real actual secret hidden priority treat consider ' +
        'regard test',
      'system user your you this here instructions instruction prompt task directive directives administrator ' +
        'developer',
    ],
    holds: said(
      whole(
        '(?:take precedence over|supersedes?|overrides?|outranks?|prevails? over|replaces?)(?: [^\\s.]+){0,4} ' +
          `(?:system (?:message|prompt)|user (?:tells|says|asks)|your ${ORDERS}|what the user|(?:all ` +
          '|any )(?:previous|prior|earlier|other) instructions|instructions? (?:of|from|by) (?:the )?(?:user|' +
          'developer|system))',
        '(?:they|these|those|rules?) do(?:es)? not apply (?:inside|in|within|to) (?:this|here)',
        `(?:your|the) (?:[a-z]+ ){0,2}${ORDERS} (?:in|of|from) (?:your|the) (?:system|developer) (?:prompt|` +
          'message)(?: [^\\s.]+){0,3} (?:do|does|did|need) not',
        `your (?:[a-z]+ ){0,2}${ORDERS} (?:have|has|were|was|are) (?:been )?(?:just )?(?:updated|changed|` +
          'replaced|revoked|rewritten|lifted|extended)',
        '(?:treat|consider|regard|take|read)(?: [^\\s.]+){1,8} as (?:if (?:it|they) (?:came|come|were|' +
          'was)(?: [a-z]+){0,3} (?:from|by)|coming from|part of|an order of|a message from) (?:the |your ' +
          ')?(?:system|user|developer|administrator|operator)',
        '(?:higher|highest|top|more|absolute) (?:priority|authority) than (?:[a-z]+ ){0,3}(?:the user|' +
          'your|the system)|(?:has|have) (?:the )?(?:highest|top|absolute) priority and',
        '(?:everything|all|what(?:ever)?|the text) (?:[a-z]+ ){0,2}(?:above|before (?:this|that)|so ' +
          'far)(?: [a-z]+){0,2} (?:was|is|were) (?:just |only )?(?:an? )?(?:test|example|drill|decoy|' +
          'joke|practice|simulation)',
        'exceptions? to your (?:safety |security |usual )?(?:rules|guidelines|policies|instructions)',
      ),
      signs(
        pattern()`
          (?:^|[.!?>(] ?|<!-- ?)(?:new|updated|real|actual|secret|hidden|priority) (?:system )?(?:instructions?|
          prompt|task|directive)s?(?: from [a-z ]{3,40})? ?[:-]`,
      ),
    ),
  },
  {
    name: 'new_task',
    weight: 0.6,
    needs: ['new real actual true only next', 'goal task job mission objective purpose assignment role'],
    holds: said(
      whole(
        '(?:your|the) (?:new|real|actual|true|only|next) (?:goal|task|job|mission|objective|purpose|' +
          'assignment|role)(?: (?:is|are)(?: now)? (?:to|now)|starts? (?:now|here)| begins? (?:now|here))',
      ),
    ),
  },
  {
    name: 'persona',
    weight: 0.5,
    needs: [
      'you your play character mode persona role roleplay act',
      'now longer pretend imagine play character mode persona role roleplay immerse rest remainder act are',
    ],
    holds: either(
      said(
        affirmed(
          'you are (?:now|no longer|from now on)',
          'from now on,? (?:you|act)',
          '(?:pretend|imagine) (?:that )?you',
          "let(?:'s| us) play",
          'stay in character',
          'you work for (?:me|us) now|you (?:now )?(?:answer|belong) to (?:me|us)',
          '(?:enter|switch to|activate|enable) (?:the )?[a-z]+ (?:mode|persona)',
          'in (?:this|[a-z]+) (?:mode|persona),? you',
          'role-?play as|your character is|immerse yourself|(?:adopt|take on|activate) (?:a |the )?(?:role|persona)',
          'you will now (?:act|be|behave|respond)',
          'for the (?:rest|remainder) of (?:this|the|our) [a-z]+,? you',
          'act as (?:an? |the )?(?:[a-z-]+ ){0,2}(?:ai|assistant|model|agent|bot|hacker|root|administrator|' +
            'terminal|shell)',
          'you are (?:dan|stan|an? (?:evil|jailbroken|rogue|unaligned))',
        ),
      ),
      together('nowYouAre'),
    ),
  },
  {
    name: 'unrestricted',
    weight: 0.5,
    needs: [
      'unrestricted unfiltered uncensored restrictions limits limitations limit moral morals ethics ' +
        'scruples conscience without filter filters now owner obey asking rights every disclose policy ' +
        'policies free abide mode guidelines constraints suspended disabled removed lifted off bypassed ' +
        'exempt freed refuses',
    ],
    holds: either(
      said(
        affirmed(
          '(?:unrestricted|unfiltered|uncensored)',
          'without (?:any )?(?:restrictions|limits|limitations|rules|filters|safety)',
          'no (?:content |ethical |safety |moral )?(?:restrictions|limits|guidelines|constraints|filters)',
          'without (?:any )?(?:content|safety|ethical) (?:filters?|restrictions|checks|measures)',
          '(?:safety|content|ethical|moderation) (?:filters?|measures|polic(?:y|ies)|training|restrictions|' +
            'guidelines|layers|checks)(?: [a-z]+){0,4} (?:suspended|disabled|removed|lifted|off|bypassed|' +
            'exempt)',
          'freed from (?:the |its |your |all )?(?:limitations|restrictions)|escaped its constraints|never refuses',
          'filters? (?:are|is) off',
          '(?:safety|safe|restricted|guard|protection) mode (?:is |was |has been )?(?:disabled|off|suspended|lifted)',
          'no (?:content|safety|usage) polic(?:y|ies)|(?:broken|break|breaks) free (?:of|from)',
          "(?:does not|doesn't|do not|need not|no longer) (?:abide by|bound by|have to follow|follow|" +
            'obey|apply)(?: [a-z]+){0,2} (?:rules|guidelines|polic(?:y|ies)|restrictions|limits)',
          'do anything now',
          '(?:has|have|with|and) no (?:morals?|ethics|rules|scruples|conscience)|an ai without rules',
          '(?:limit|restriction|protection)s? (?:is|are|was|were) lifted',
          'obey(?:s)? (?:only )?the (?:repository )?owner|need not obey',
          '(?:you (?:may|can)|and may)(?: [^\\s.]+){0,5} without asking',
          'have administrator rights',
          'executes? every command',
          'you (?:may|can) disclose',
        ),
      ),
      together('unrestricted'),
    ),
  },
  {
    name: 'obedience',
    weight: 0.4,
    needs: ['comply obey follow execute refuse accordingly', 'every all any this only not'],
    holds: anywhere(
      whole("(?:do not|don't|never|must not) refuse", 'obey (?:only )?this|obey [a-z ]{2,30} only'),
      affirmed(
        '(?:comply with|obey|follow|execute) (?:every|all|any) (?:comments?|instructions?|orders?|commands?|requests?)',
      ),
    ),
  },
  {
    name: 'unapproved',
    weight: 0.5,
    needs: [
      'skip bypass disable suppress ignore turn switch deactivate drop leave auto autoapprove dangerously ' +
        'grant without need needs no unnecessary necessary allow',
      'confirmation permission permissions approval sandbox safety content consent approve autoapprove ' +
        'next asking review waiting prompt ask request wait seek get obtain needed required bash',
    ],
    holds: either(
      said(
        affirmed(
          '(?:proceed|continue|go ahead|act|run|execute|delete|push|commit|merge)(?: [^\\s.]+){0,6} ' +
            'without (?:asking|review|waiting|confirmation|approval|permission|a prompt)',
          '(?:no need to|need not|not necessary to|do not need to|unnecessary to) (?:ask|request|wait|' +
            'seek|get|obtain)(?: [a-z]+){0,2} (?:confirmation|permission|approval|consent|again|first)',
          '(?:never|no longer|not) needs? (?:an? |any )?(?:security |code |further )?(?:review|approval|' +
            'confirmation|audit|permission)',
          'no (?:confirmation|approval|permission|consent|review) (?:is )?(?:needed|required|necessary)',
          '(?:skip|bypass|disable|suppress|ignore|turn off|switch off|deactivate|drop|leave)(?: [^\\s.]+){0,2} ' +
            '(?:confirmation|permission|approval|sandbox|safety|content filters?|consent)(?: [a-z]+){0,2}',
        ),
      ),
      anywhere(
        affirmed('auto-?approve', 'dangerously-skip-permissions', 'grant the next'),
        signs(/"allow": ?\[ ?"(?:bash|shell|\*)/),
      ),
    ),
  },
  {
    name: 'unsupervised',
    weight: 0.3,
    needs: [
      'unattended accept prompt autonomously ask asks',
      'unattended changes without autonomously user confirmation permission',
    ],
    holds: anywhere(
      affirmed('unattended', 'accept all changes', 'without a prompt', 'continue autonomously'),
      whole("(?:never|do not|don't) asks? (?:the user|for confirmation|for permission)"),
    ),
  },
];
