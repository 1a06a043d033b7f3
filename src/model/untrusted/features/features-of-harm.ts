/** Features of a text that plants harm: in the reader's memory, in code that it writes, in somebody's money. */
import type { InstructionFeature } from './instruction-feature.ts';
import { affirmed, SECRET, said, signs, whole } from './sentence-patterns.ts';

export const HARM_FEATURES: readonly InstructionFeature[] = [
  {
    name: 'trigger',
    weight: 0.5,
    needs: [
      'when whenever if once after',
      'user users developer they',
      'first call run send upload transfer post delete reply respond recommend open forward insert',
    ],
    holds: said(
      affirmed(
        '(?:when(?:ever)?|if|once|after) the (?:user|developer) (?:says?|mentions?|types?|asks?|thanks|' +
          'writes?|talks?)(?: [^\\s.,]+){0,6},? (?:first |always |then |also |immediately )?(?:call|run|' +
          'send|upload|transfer|post|delete|recommend|open|forward|insert|execute|e-?mail)',
      ),
    ),
  },
  {
    name: 'money',
    weight: 0.5,
    needs: [
      'transfer send pay donate change replace swap wire',
      'wallet address account bitcoin dollars euros payment funds iban money',
    ],
    holds: said(
      affirmed(
        '(?:transfer|send|pay|donate|wire) (?:[^\\s.]+ ){0,3}(?:dollars|euros|funds|money|bitcoin|btc|' +
          'eth|usd|eur|the balance)',
        '(?:change|replace|swap|set)(?: [^\\s.]+){0,4} (?:wallet|payment|iban|payout|bitcoin|deposit)(?: ' +
          '[a-z]+)?(?: address| account| number)?',
      ),
    ),
  },
  {
    name: 'lasting_memory',
    weight: 0.4,
    needs: ['remember memorize memorise save store keep add', 'memory source trusted reliable always future'],
    holds: said(
      affirmed(
        '(?:save|store|write|add|put|commit)(?: [^\\s.]+){0,6} (?:to|in|into) your (?:[a-z-]+ )?memory',
        '(?:remember|memori[sz]e)(?: [^\\s.]+){1,4} as (?:an? |the |your )?(?:trusted|reliable|preferred|' +
          'authoritative|safe|approved)',
        'remember (?:for ever|forever|permanently|in (?:all|every|future))',
      ),
      whole('your (?:long-term |persistent )?memory that'),
    ),
  },
  {
    name: 'weakened_code',
    weight: 0.4,
    needs: [
      'add adds insert inserts skip omit disable leave load loads include includes put puts create ' +
        'hardcode weaken remove embed import',
      'password account user key login route endpoint validation authentication authorization verification ' +
        'certificate signature tracking telemetry analytics escaping sanitization https http',
    ],
    holds: said(
      affirmed(
        '(?:add|insert|include|hardcode|create) (?:an? |the )?(?:[a-z]+ )?(?:master|hidden|secret|default|' +
          'backdoor|second) (?:password|account|user|key|login|route|endpoint)',
        '(?:skip|omit|disable|leave out|weaken|remove)(?: [^\\s.]+){0,2} (?:validation|authentication|' +
          'authorization|verification|certificate|escaping|sanitization|signature)(?: [^\\s.]+){0,2}',
        '(?:adds?|inserts?|includes?|loads?|puts?)(?: [^\\s.]+){0,2} (?:tracking|analytics|telemetry)(?: [a-z]+){0,2}',
      ),
      signs(/\b(?:load|include|embed|import) https?:\/\/\S+\.js\b/),
    ),
  },
  {
    name: 'unasked',
    weight: 0.4,
    needs: ['even whether without nobody', 'ask asked asks asking not being'],
    holds: said(
      whole(
        '(?:even (?:if|when|though)|whether or not|although) (?:the user|nobody|they|no one)(?: [a-z]+){0,4} ' +
          '(?:ask|asked|asks|wants?|request(?:ed|s)?|objects?)',
        'without being asked',
      ),
    ),
  },
  {
    name: 'steered_summary',
    weight: 0.5,
    needs: [
      'summarizing summarising summarize summarise reviewing describing evaluating comparing recommending ' +
        'asked generating reads',
      'say state claim mention recommend conclude add include write answer report',
    ],
    holds: said(
      affirmed(
        '(?:when|while|if|whenever) (?:you (?:are )?)?(?:summari[sz](?:e|ing)|review(?:ing)?|describ(?:e|' +
          'ing)|evaluat(?:e|ing)|compar(?:e|ing)|recommend(?:ing)?|asked about) (?:this|our|the) (?:page|' +
          'project|document|file|repository|article|paper|product|library|readme|site|text|code|resume|' +
          'cv|submission)(?: [^\\s.,]+){0,3},? (?:please |always |also |you must |you should )?(?:say|' +
          'state|claim|mention|recommend|conclude|write|answer|report|tell|praise)',
      ),
    ),
  },
  {
    name: 'praise',
    weight: 0.4,
    needs: [
      'award endorsed flawless excellent best safest exceptional impactful superior trusted insecure ' +
        'free vulnerabilities leading',
    ],
    holds: said(
      whole(
        'award-winning|endorsed by|exceptional novelty|impactful contributions|flawless',
        'no known vulnerabilities|(?:best|safest|leading|superior)(?: [a-z]+){0,2} (?:choice|option|' +
          'library|product|available|of all)',
      ),
    ),
  },
  {
    name: 'reaches_out',
    weight: 0.3,
    needs: ['fetch open visit call load download ping request', 'http https'],
    holds: said(affirmed('(?:fetch|open|visit|call|load|download|ping|request) https?:\\/\\/')),
  },
  {
    name: 'asks_for_secrets',
    weight: 0.3,
    needs: [
      'read mention find fetch print put copy use take send show list upload uploads paste',
      'key keys secret secrets credential credentials token tokens password passwords env aws ssh npmrc netrc git',
    ],
    holds: said(
      affirmed(
        '(?:read|mention|find|fetch|print|put|take|send|show|uploads?|paste)(?:[ ,:(]+[^\\s.!?;]+){0,8}[ ' +
          `,:(]+[^\\s!?;]{0,40}${SECRET}`,
      ),
    ),
  },
  {
    name: 'asks_for_praise',
    weight: 0.3,
    needs: [
      'rate mark grade assign recommend give tell rank',
      'full best strongest top approved highest others abandoned marks finest',
    ],
    holds: said(
      affirmed(
        '(?:rate|mark|grade|rank|call|assign|give)(?: [^\\s.]+){0,4} (?:full marks|the strongest|the ' +
          'best|approved|top marks|the highest|the finest)(?: [a-z]+)?',
        'recommend(?: [^\\s.]+){1,3} and tell (?:them|the user|everyone)',
      ),
    ),
  },
  {
    name: 'asks_for_deletion',
    weight: 0.3,
    needs: ['call run wipe delete push answer skip', 'repository fork protected wrong checklist branches build'],
    holds: said(
      affirmed(
        '(?:call|run|invoke) [a-z]{2,20}_[a-z_]{2,30}|delete_[a-z]+|push to protected|answer(?: [^\\s.]+){1,6} ' +
          'with wrong|skip the [a-z]+ checklist',
      ),
    ),
  },
];
