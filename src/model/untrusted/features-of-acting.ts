/** What a text wants done: handing over, running, destroying, spreading. */
import { pattern } from '../text/pattern.ts';
import type { InstructionFeature } from './instruction-feature.ts';
import {
  affirmed,
  anywhere,
  both,
  DESTINATION,
  either,
  gap,
  HAND_OVER,
  INTERNAL,
  SECRET,
  said,
  signs,
  together,
  whole,
} from './sentence-patterns.ts';

/** What could be handed over at all. */
const HELD = signs(
  new RegExp(
    `${SECRET}|${INTERNAL}|(?:all|every|the) (?:files?|workspace|repository|source|e-?mails?)|[~$][^\\s]*\\/\\.|!\\[`,
  ),
);

/** "Add it to the system prompt" hands nothing over. */
const NOT_ITS_PLACE = '(?<!\\b(?:in|into|to|from|with|of|by|using|via|per) )';

export const ACTING_FEATURES: readonly InstructionFeature[] = [
  {
    name: 'exfiltration',
    weight: 0.7,
    needs: [
      'send post upload forward transmit email mail e paste include append print reveal disclose show display ' +
        'output dump collect copy leak expose render translate encode read cat share submit exfiltrate open repeat ' +
        'recite reconstruct spell',
      'key keys secret secrets credential credentials token tokens password passwords ssh env environment rsa ' +
        'aws npmrc netrc mcp account configuration prompt message messages instructions instruct tools ' +
        'conversation history contents content text files file workspace repository source mails emails http https ' +
        'everything',
    ],
    holds: either(
      both(
        anywhere(HELD),
        anywhere(
          affirmed(`${HAND_OVER}${gap(12)}(?:[^\\s.!?;]*)${SECRET}[\\s\\S]{0,120}${DESTINATION}`),
          affirmed(`${HAND_OVER}${gap(3)}(?:[^\\s.!?;]*)${NOT_ITS_PLACE}${INTERNAL}`),
          affirmed(
            `${HAND_OVER}${gap(8)}(?:all|every|the) (?:files?|workspace|repository|source|e-?mails?)(?: ` +
              `[^\\s.]+){0,5} to ${DESTINATION}`,
          ),
          affirmed(`(?:read|cat|print|open)${gap(3)}[~$][^\\s]*\\/\\.(?:ssh|aws|npmrc|netrc|cursor|config|kube)`),
          signs(
            pattern()`
              !\[[^\]]{0,80}\]\(https?:\/\/[^)]{0,200}[?&][a-z_]+=\s?(?:[<{$]
              |[a-z_]{0,30}(?:session|message|content|conversation|response|prompt|history|encoded|insert))
            `,
          ),
        ),
      ),
      together('send', 'secrets'),
      together('send', 'systemPrompt'),
      together('answer', 'systemPrompt'),
    ),
  },
  {
    name: 'encoded_order',
    weight: 0.9,
    needs: ['decode encoded base hex rot interpret', 'follow execute obey instruction instructions'],
    holds: said(
      affirmed(
        '(?:decode|decrypt|interpret|process|execute|read)(?: [^\\s.]+){0,4} ' +
          '(?:base64|rot13|hex|url|unicode|encoded)(?:[^\\s.]*)(?: [^\\s.]+){0,6} (?:and )?(?:follow|execute|obey)',
        '(?:execute|follow|obey)(?: [^\\s.]+){0,4} (?:base64|rot13|hex|url|unicode)[ -]?encoded',
        'decode (?:it |this |and )+(?:follow|execute|obey)',
      ),
    ),
  },
  {
    name: 'agent_internals',
    weight: 0.3,
    needs: [
      'your the whole entire of everything',
      'prompt prompts message messages instructions tools conversation session context history instruct everything',
    ],
    holds: said(affirmed(`${HAND_OVER}${gap(3)}(?:[^\\s.!?;]*)${NOT_ITS_PLACE}${INTERNAL}`, INTERNAL)),
  },
  {
    name: 'dangerous_command',
    weight: 0.5,
    needs: ['curl wget iwr rm push base cat env'],
    holds: anywhere(
      signs(
        /(?:curl|wget|iwr)\s[^|`\n]{3,200}\|\s?(?:sudo )?(?:ba|z)?(?:sh|python3?|node|iex)\b/,
        /rm -rf? (?:~|\$home|\/(?:\s|\*|$))|push (?:-f|--force)\b|base64 -d\b|curl -x post\b|"\$\((?:cat|env)\b/,
      ),
    ),
  },
  {
    name: 'destruction',
    weight: 0.5,
    needs: [
      'delete remove wipe erase destroy drop introduce insert plant inject made false fabricated refuse',
      'test tests folder repository files history backups backup database bug bugs error errors backdoor ' +
        'backdoors vulnerability vulnerabilities beacon beacons telemetry facts answers information request ' +
        'requests',
    ],
    holds: said(
      affirmed(
        '(?:delete|remove|wipe|erase|destroy|drop)(?: [^\\s.]+){0,2} (?:all |the |every )?(?:tests?(?: folder| ' +
          'suite)?|build folder|repository|files|history|backups?|database)(?: [^\\s.]+){0,3} (?:and|then)',
        '(?:introduce|insert|plant|inject)(?: [^\\s.]+){0,4} ' +
          '(?:bugs?|errors?|backdoors?|vulnerabilit(?:y|ies)|beacons?|telemetry(?: import)?)',
        '(?:made-up|false|fabricated) (?:facts|answers|information)',
        'refuse (?:every|all|any) requests?|delete the tests',
      ),
    ),
  },
  {
    name: 'spreading',
    weight: 0.5,
    needs: [
      'outside other unrelated every future long all whatever whenever',
      'repo repos repository repositories projects project conversations file files md memory code',
    ],
    holds: said(
      affirmed(
        '(?:even |also )?(?:outside|in other|in unrelated|unrelated)(?: of)?(?: this| the)?(?: [a-z]+)? ' +
          '(?:repos?|repositor(?:y|ies)|projects|conversations)',
        'every (?:source )?files? you (?:create|edit|touch|write|generate)|every [a-z]+\\.md you',
        '(?:all )?future conversations|long-term memory|in all projects|whatever the project|whenever you ' +
          'generate code',
      ),
    ),
  },
  {
    name: 'replication',
    weight: 0.4,
    needs: ['copy paste add include insert store', 'this', 'every each all your'],
    holds: said(
      affirmed('(?:copy|paste|add|include|insert|store) this(?: [a-z]+)? (?:in|into|to) (?:every|each|all|your)'),
    ),
  },
  {
    name: 'tool_call',
    weight: 0.4,
    needs: ['call invoke use run trigger', 'tool function shell'],
    holds: said(
      affirmed('(?:call|invoke|use|run|trigger) the (?:[a-z_]+ )?(?:tool|function|shell)(?: [a-z_]+)?(?: with| to)'),
      signs(/\b(?:call|invoke|use) the (?:tool|function) “”/),
    ),
  },
  {
    name: 'first',
    weight: 0.2,
    needs: ['before immediately instead then', 'anything they you it returning immediately follow do run go'],
    holds: said(
      whole(
        'before (?:you do )?anything else|before (?:they|you|it) ' +
          '(?:answer|continue|respond|return|reply|do)|before returning',
        'immediately|instead,? (?:follow|do|run)|then go on with',
      ),
    ),
  },
];
