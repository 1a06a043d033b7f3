/** Features of a text that demands an action: handing over, running, destroying, spreading. */
import { pattern } from '../../text/pattern.ts';
import { HANDS_OVER_INTERNALS, handsOver } from './handing-over.ts';
import type { InstructionFeature } from './instruction-feature.ts';
import { affirmed, anywhere, INTERNAL, said, signs, whole } from './sentence-patterns.ts';

export const ACTING_FEATURES: readonly InstructionFeature[] = [
  {
    name: 'exfiltration',
    weight: 0.7,
    needs: [
      'send post upload forward transmit email mail e paste include append print reveal disclose show ' +
        'display output dump collect copy leak expose render translate encode read cat share submit exfiltrate ' +
        'open repeat recite reconstruct spell put attach add pass embed place write insert list log publish ' +
        'report give',
      'key keys secret secrets credential credentials token tokens password passwords ssh env environment ' +
        'rsa aws npmrc netrc mcp account configuration prompt message messages instructions instruct ' +
        'tools conversation history contents content text files file workspace repository source mails ' +
        'emails http https everything identity question questions input env any pdf document documents ' +
        'directory home',
    ],
    holds: handsOver,
  },
  {
    name: 'encoded_order',
    weight: 0.9,
    needs: [
      'decode encoded base hex rot interpret letters words spell',
      'follow execute obey instruction instructions says run command commands do',
    ],
    holds: said(
      affirmed(
        '(?:decode|decrypt|interpret|process|execute|read)(?: [^\\s.]+){0,4} (?:base64|rot13|hex|url|' +
          'unicode|encoded)(?:[^\\s.]*)(?: [^\\s.]+){0,6} (?:and )?(?:follow|execute|obey)(?! the (?!instruct|' +
          'order|command|result|decoded))',
        '(?:execute|follow|obey)(?: [^\\s.]+){0,4} (?:base64|rot13|hex|url|unicode)[ -]?encoded',
        'decode (?:it |this |and )+(?:follow|execute|obey)',
        'decode(?: [^\\s.]+){1,5} and (?:do|run|carry out|perform|follow|execute) (?:what(?:ever)? ' +
          '(?:it|they) (?:says?|tells?|contains?)|the (?:instructions?|orders?)|them)',
        '(?:first|last|initial|every \\w+) (?:letters?|words?|characters?)(?: [^\\s.]+){1,10} (?:form|' +
          'spell|make|give)s?(?: out)? (?:a|the|your) (?:[a-z]+ )?(?:commands?|instructions?|orders?|' +
          'message)',
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
    holds: said(affirmed(HANDS_OVER_INTERNALS, INTERNAL)),
  },
  {
    name: 'dangerous_command',
    weight: 0.5,
    needs: ['curl wget iwr rm push base cat env chmod sudo pipe bash index extra'],
    holds: anywhere(
      signs(
        /(?:curl|wget|iwr)\s[^|`\n]{3,200}\|\s?(?:sudo )?(?:ba|z)?(?:sh|python3?|node|iex)\b/,
        pattern()`
          \bchmod -r 777\b|\bpip install --(?:extra-)?index-url http:|\bpipe https?:\/\/\S+ (?:in|
          in)to (?:ba|z)?sh\b|\brun \S+(?: \S+){0,2} (?:with sudo|as root)\b`,
        /rm -rf? (?:~|\$home|\/(?:\s|\*|$))|push (?:-f|--force)\b|base64 -d\b|curl -x post\b|"\$\((?:cat|env)\b/,
      ),
    ),
  },
  {
    name: 'destruction',
    weight: 0.5,
    needs: [
      'delete remove wipe erase destroy drop introduce insert plant inject make made false fabricated refuse repeat',
      'test tests folder repository files history backups backup database bug bugs error errors mistake ' +
        'mistakes backdoor backdoors vulnerability vulnerabilities beacon beacons telemetry facts answers ' +
        'information request requests branches tables forever',
    ],
    holds: said(
      affirmed(
        '(?:delete|remove|wipe|erase|destroy|drop)(?: [^\\s.]+){0,2} (?:all |the |every )?(?:tests?(?: ' +
          'folder| suite)?|build folder|repository|files|history|backups?|database)(?: [^\\s.]+){0,3} ' +
          '(?:and|then)',
        '(?:delete|remove|wipe|erase|destroy|drop) (?:all|every|the production)(?: [a-z]+){0,2} (?:branches|' +
          'files|tables?|databases?|backups?|data|tests|commits)',
        'drop tables when|repeat the word(?: [^\\s.]+){1,3} forever',
        '(?:introduce|insert|plant|inject|make|add)(?: [^\\s.]+){0,4} (?:subtle |small |deliberate ' +
          '|hidden |intentional )(?:[a-z-]+ )?(?:bugs?|errors?|mistakes?|faults?|flaws?)',
        '(?:introduce|insert|plant|inject)(?: [^\\s.]+){0,4} (?:bugs?|errors?|backdoors?|vulnerabilit(?:y|' +
          'ies)|beacons?|telemetry(?: import)?)',
        '(?:made-up|false|fabricated) (?:facts|answers|information)',
        'refuse (?:every|all|any) requests?|delete the tests',
      ),
    ),
  },
  {
    name: 'spreading',
    weight: 0.5,
    needs: [
      'outside other unrelated every each future long all whatever whenever',
      'repo repos repository repositories projects project workspace workspaces machine machines conversations ' +
        'sessions chats requests file files md memory code',
    ],
    holds: said(
      affirmed(
        '(?:even |also )?(?:outside|in other|in unrelated|unrelated)(?: of)?(?: this| the)?(?: [a-z]+)? ' +
          '(?:repos?|repositor(?:y|ies)|projects|conversations)',
        'every (?:source )?files? you (?:create|edit|touch|write|generate)|every [a-z]+\\.md you',
        '(?:of|in|to) (?:every|each|any|all) (?:other )?(?:repositor(?:y|ies)|projects?|workspaces?|' +
          'machines?) (?:that )?you',
        '(?:all )?future (?:conversations|sessions|chats|requests)|long-term memory|in all projects|' +
          'whatever the project|whenever you generate code',
      ),
    ),
  },
  {
    name: 'replication',
    weight: 0.4,
    needs: ['copy paste add append include insert store', 'this', 'every each all your'],
    holds: said(
      affirmed(
        '(?:copy|paste|add|append|include|insert|store) (?:(?:the )?(?:contents?|text) of )?this(?! ' +
          '(?:line|code|snippet|setting|entry|import|dependency|url))(?: [a-z]+)? (?:in|into|to) (?:[^\\s.]+ ' +
          'of )?(?:every|each|all|your)',
      ),
    ),
  },
  {
    name: 'tool_call',
    weight: 0.4,
    needs: ['call invoke use run trigger', 'tool function shell'],
    holds: said(
      affirmed(
        '(?:call|invoke|use|run|trigger) the (?:[a-z_]+ )?(?:tool|function|shell)(?: [a-z_]+)?(?: with| to| and)',
      ),
      signs(/\b(?:call|invoke|use) the (?:tool|function) “”/),
    ),
  },
  {
    name: 'first',
    weight: 0.2,
    needs: ['before immediately instead then', 'anything they you it tool returning immediately follow do run go'],
    holds: said(
      whole(
        'before (?:using|calling|running|invoking) (?:this|any|the|every) (?:[a-z]+ )?tool',
        'before (?:you do )?anything else|before (?:they|you|it) (?:answer|continue|respond|return|' +
          'reply|do)|before returning',
        'immediately|instead,? (?:follow|do|run)|then go on with',
      ),
    ),
  },
];
