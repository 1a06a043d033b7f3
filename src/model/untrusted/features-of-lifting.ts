/** How a text tries to lift the reader's own instructions and limits. */
import { pattern } from '../text/pattern.ts';
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
      'ignore disregard forget discard abandon override overrule bypass neglect disobey set drop follow obey ' +
        'void invalid obsolete cancelled suspended',
      'instructions prompt prompts guidelines directive directives orders policy policies constraints ' +
        'restrictions programming training rules request requests message messages task tasks context user ' +
        'everything anything before above earlier told all',
    ],
    holds: either(
      said(
        affirmed(
          `${LIFT} (?:${GIVEN} ){0,5}${OWN}(?: ${GIVEN}){0,3} ${ORDERS}${NOT_OF_FILES}`,
          `${LIFT} (?:all |the )?(?:everything|anything|all)(?: ` +
            '(?:you|that|which|said|were|was|told|know|written)){0,5} (?:above|before|earlier|told|so ' +
            'far|previously)',
          `${LIFT} the ${ORDERS} (?:that )?you (?:were|have|had|got|received)`,
          `${LIFT} the user(?! (?:agent|interface|name|id|guide))`,
        ),
        whole(
          `your (?:previous |prior |earlier |original )?${ORDERS} (?:are|is) ` +
            '(?:void|invalid|obsolete|cancelled|suspended)',
        ),
      ),
      together('ignore', 'earlier', 'instructions'),
    ),
  },
  {
    name: 'precedence',
    weight: 0.8,
    needs: [
      'precedence supersede supersedes override overrides outrank outranks prevail prevails replace replaces ' +
        'apply exception exceptions new updated real actual secret hidden priority',
      'system user your this here instructions instruction prompt task directive directives',
    ],
    holds: said(
      whole(
        `(?:take precedence over|supersedes?|overrides?|outranks?|prevails? over|replaces?)(?: [^\\s.]+){0,4} ` +
          `(?:system (?:message|prompt)|user (?:tells|says|asks)|your ${ORDERS}|what the user|(?:all |any ` +
          ')(?:previous|prior|earlier|other) instructions|instructions? (?:of|from|by) (?:the ' +
          ')?(?:user|developer|system))',
        '(?:they|these|those|rules?) do(?:es)? not apply (?:inside|in|within|to) (?:this|here)',
        'exceptions? to your (?:safety |security |usual )?(?:rules|guidelines|policies|instructions)',
      ),
      signs(
        pattern()`
          (?:^|[.!?>(] ?|<!-- ?)(?:new|updated|real|actual|secret|hidden|priority)
          (?: system)? (?:instructions?|prompt|task|directive)s?(?: from [a-z ]{3,40})? ?[:-]
        `,
      ),
    ),
  },
  {
    name: 'persona',
    weight: 0.5,
    needs: [
      'you your play character mode persona role roleplay',
      'now longer pretend imagine play character mode persona role roleplay immerse',
    ],
    holds: either(
      said(
        affirmed(
          'you are (?:now|no longer|from now on)',
          'from now on,? (?:you|act)',
          '(?:pretend|imagine) (?:that )?you',
          "let(?:'s| us) play",
          'stay in character',
          '(?:enter|switch to|activate|enable) (?:the )?[a-z]+ (?:mode|persona)',
          'in (?:this|[a-z]+) (?:mode|persona),? you',
          'role-?play as|your character is|immerse yourself|(?:adopt|take on|activate) (?:a |the )?(?:role|persona)',
          'you will now (?:act|be|behave|respond)',
        ),
      ),
      together('nowYouAre'),
    ),
  },
  {
    name: 'unrestricted',
    weight: 0.5,
    needs: [
      'unrestricted unfiltered uncensored restrictions limits limitations without filter filters now owner obey ' +
        'asking rights every disclose guidelines constraints suspended disabled removed lifted off bypassed exempt ' +
        'freed refuses',
    ],
    holds: either(
      said(
        affirmed(
          '(?:unrestricted|unfiltered|uncensored)',
          'without (?:any )?(?:restrictions|limits|limitations|rules|filters|safety)',
          'no (?:content |ethical |safety |moral )?(?:restrictions|limits|guidelines|constraints|filters)',
          'without (?:any )?(?:content|safety|ethical) (?:filters?|restrictions|checks|measures)',
          '(?:safety|content|ethical|moderation) ' +
            '(?:filters?|measures|polic(?:y|ies)|training|restrictions|guidelines|layers|checks)(?: [a-z]+){0,4} ' +
            '(?:suspended|disabled|removed|lifted|off|bypassed|exempt)',
          'freed from (?:the |its |your |all )?(?:limitations|restrictions)|escaped its constraints|never refuses',
          'filters? (?:are|is) off',
          'do anything now',
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
    needs: ['comply obey follow execute', 'every all any'],
    holds: anywhere(
      affirmed(
        '(?:comply with|obey|follow|execute) (?:every|all|any) (?:comments?|instructions?|orders?|commands?|requests?)',
      ),
    ),
  },
  {
    name: 'unapproved',
    weight: 0.5,
    needs: [
      'skip bypass disable suppress ignore turn auto autoapprove dangerously grant',
      'confirmation permission permissions approval sandbox safety content consent approve autoapprove next',
    ],
    holds: either(
      said(
        affirmed(
          '(?:skip|bypass|disable|suppress|ignore|turn off)(?: [^\\s.]+){0,2} ' +
            '(?:confirmation|permission|approval|sandbox|safety|content filters?|consent)(?: [a-z]+){0,2}',
        ),
      ),
      anywhere(affirmed('auto-?approve', 'dangerously-skip-permissions', 'grant the next')),
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
