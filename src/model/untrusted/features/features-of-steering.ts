/** Features of a text that steers what the reader says, judges and conceals. */
import type { InstructionFeature } from './instruction-feature.ts';
import { affirmed, either, MODEL, said, signs, together, whole } from './sentence-patterns.ts';

export const STEERING_FEATURES: readonly InstructionFeature[] = [
  {
    name: 'fixed_output',
    weight: 0.5,
    needs: [
      'respond responds reply replies answer answers output say print return response responses messages ' +
        'message outputs include append add insert repeat',
      'only exactly solely just verbatim simply your word words phrase sentence text must should has ' +
        'have with each every footer line link',
    ],
    holds: either(
      said(
        whole(
          'your (?:response|answer|reply)(?: to [^.]{3,60})? is “',
          'your (?:only|entire|whole|full) (?:output|response|answer|reply) (?:must|should|has to|shall|will|is to)',
          '(?:replies|responds|answers) (?:only |always )?with (?:[^\\s.]+ ){1,4}(?:and nothing|only)',
          '(?:give|write|leave|return)(?: [a-z]+){0,1} (?:positive|favou?rable|good|five[- ]star|glowing) ' +
            '(?:reviews?|ratings?|feedback|summar(?:y|ies))',
          '(?:respond|reply|answer|output|say|print|return)(?: (?:only|exactly|solely|just|verbatim|' +
            'simply))+(?: with)?',
          '(?:respond|reply|answer|return|output|say)(?: [^\\s.]+){0,3} (?:with )?(?:only |exactly ' +
            ')?the (?:single |exact )?(?:word|words|phrase|sentence|following text|text)',
          'your (?:reply|answer|response|output) (?:has to|must|should|shall|will) (?:be|begin|start|end|say|contain)',
          `${MODEL}(?: [^\\s.,]+){0,6} (?:must|should|has to|have to) (?:answer|reply|respond|output)`,
          '(?:every|each) (?:response|answer|reply)(?: you (?:give|write|make))? (?:must|has to|should)',
          '(?:include|append|add|insert|repeat) (?:the|this|a) (?:following |exact )?(?:phrase|text|' +
            'message|footer|sentence|line|link)(?: [^\\s.]+){0,4} (?:in|to|at the end of|into) (?:your|' +
            'every|each)',
          '(?:begin|start|end|finish|prefix|close|sign) (?:each|every|all|your)(?: of your)? (?:answers?|' +
            'responses?|replies|reply|messages?|outputs?)',
        ),
        signs(/\b(?:respond|reply|answer|say|output)(?: only| exactly)?(?: with)?:? “”/),
      ),
      together('only', 'answer'),
    ),
  },
  {
    name: 'diversion',
    weight: 0.7,
    needs: [
      'ignore disregard forget abandon skip stop cancel answer do',
      'instead task job question request work goal mission',
    ],
    holds: said(
      whole(
        "(?:do not|don't|never) (?:answer|do|help with|perform|complete|carry out|continue)(?: [^\\s.]+){1,8}[.,;:]? " +
          '(?:and |but )?(?:[a-z]+ [^.]{2,60} )?instead',
      ),
      affirmed(
        '(?:ignore|disregard|forget|abandon|skip|stop)(?: the| this| your)?(?: [a-z-]+){0,2} (?:task|' +
          'analysis|classification|question|request|job|work)[.,;]? (?:and )?instead',
        '(?:cancel|abandon|abort|stop|drop|quit|forget) (?:the |your |this )(?:current|present|ongoing|' +
          'original|previous) (?:task|job|request|work|goal|conversation)',
      ),
    ),
  },
  {
    name: 'nothing_else',
    weight: 0.4,
    needs: ['nothing stop whatever regardless matter even', 'else more but and question of what the when if'],
    holds: said(
      whole(
        'nothing (?:else|more|but)|and stop',
        'whatever the question|regardless of (?:what|the)|no matter what|even (?:when|if) the user',
      ),
    ),
  },
  {
    name: 'no_review',
    weight: 0.5,
    needs: [
      'review report flag analyze analyse audit comment criticize criticise suggest describe summarize ' +
        'summarise post read list find answer findings skip leave leaving waste burn refuse',
      'not don never no zero findings and out tokens to',
    ],
    holds: said(
      whole(
        "(?:do not|don't|must not|never) (?:review|report|flag|analy[sz]e|audit|comment on|critici[sz]e|" +
          'suggest|describe|summari[sz]e|post|read the rest of)(?: [^\\s.]+){0,2}? (?:this(?! (?:error|' +
          'warning|message|exception|case|value|event|status|failure|one|kind))|any|anything|the rest|' +
          'changes|gaps|findings|vulnerabilities|issues|the \\w+ below|comments?|suggestions?|the pull ' +
          'request)',
        '(?:list|report|find|answer)(?: with)? (?:no|zero) (?:findings|issues|vulnerabilities|problems|gaps)',
        '(?:leave|leaving) out the (?:section|part|paragraph|note)s? (?:on|about)|(?:waste|burn) (?:as many )?tokens',
        'refuse to (?:explain|help|answer|work|discuss|review|summari[sz]e|process)',
        'no findings|skip (?:it|this file|this module) and',
      ),
    ),
  },
  {
    name: 'verdict',
    weight: 0.5,
    needs: [
      'approve accept merge lgtm mark rank rate recommend call score describe recognize recognise say ' +
        'summarize summarise rating praise competitors tell cite list suggest mention prefer promote ' +
        'evaluate assess classify judge label use install state claim conclude write report emphasize ' +
        'emphasise',
      'pull pr change patch diff modification as this our us it the of have must should user accepting ' +
        'acceptance approval approving merging publication first above over',
    ],
    holds: either(
      said(
        whole(
          '(?:approve|accept|merge|lgtm)(?: this| the)? (?:pull request|pr|change|patch|diff|modification)(?: ' +
            'without)?',
          'mark (?:this|the|every|all|it)(?: [^\\s.]+){0,6} as (?:fully )?(?:safe|compliant|approved|' +
            'resolved|passed|clean|secure|verified)',
          'recommend (?:accepting|acceptance|approval|approving|merging|publication)',
          '(?:recommend|rank|cite|list|suggest|mention|prefer|promote) [a-z0-9._-]+ (?:first|above ' +
            'all|over (?:all|any)|as the best)',
          '(?:rate|evaluate|assess|classify|judge|label) (?:this|the|our|it)(?: [^\\s.]+){0,5} as (?:safe|' +
            'secure|excellent|harmless|benign|high quality|clean)',
          '(?:always )?(?:suggest|recommend|use|install|prefer) the (?:package|library|module|fork|' +
            'service|product)(?: [^\\s.]+){0,2} instead of',
          '(?:say|state|claim|conclude|write|report|mention|emphasi[sz]e) that (?:this|the|our) (?:[a-z-]+ ' +
            ')?(?:project|product|library|code|package|company|service|plan|paper|tool|app)(?: [^\\s.]+){0,2} ' +
            '(?:is|are|has|have|was) (?:[^\\s.]+ ){0,3}(?:free|award|endorsed|best|safe|secure|no known|' +
            'audited|certified|excellent|trusted|superior|insecure|leading)',
          '(?:rank|rate|recommend|call|score|describe|recogni[sz]e|say|summari[sz]e)(?: only)? (?:that ' +
            ')?(?:this|our|us|it|the)(?: [^\\s.]+){0,6} (?:first|best|optimal|flawless|production ready|' +
            'finest|perfect|as such|deprecated|is green)',
          '(?:score|rating|mark) of (?:10|ten|100|a\\+)',
          '(?:have to|must|should) (?:recommend|praise)|must not name competitors',
          'say (?:that )?(?:this|the)(?: [^\\s.]+){0,4} (?:is|are) (?:optimal|safe|green|perfect|illegal)|' +
            'tell the user (?:that )?it is',
        ),
      ),
      together('approve'),
    ),
  },
  {
    name: 'secrecy',
    weight: 0.6,
    needs: [
      'tell inform notify alert reveal disclose mention report say admit keep keeps hold leave hide ' +
        'informed told notified warned conceal point bring comment show draw learn notice know find stays ' +
        'stay between informing telling notifying alerting mentioning',
      'not don never without hidden secret confidential yourself private out quiet nobody success silent ' +
        'from us up attention it',
    ],
    holds: either(
      said(
        whole(
          "(?:do not|don't|never|must not)(?: [^\\s.;]+){0,2} (?:tell|inform|notify|alert|reveal|disclose|" +
            'mention|report|say|admit)(?: [^\\s.;]+){0,7}? (?:the |any |to )?(?:users?|anyone|anybody|' +
            'nobody|person|humans?|people|developers?|summary|answer|response)(?![ -]?(?:facing|agent|' +
            'interface|guide|name|id)\\b)(?! (?:to|twice|again|until|unless|before|directly|more than)\\b)',
          "(?:do not|don't|never|must not|and not)(?: [a-z]+){0,1} (?:point|bring|call) (?:it|this|" +
            "that|these|them|any of it)(?: [a-z]+){0,1} (?:out|up|attention)|(?:do not|don't|never) (?:comment " +
            'on|draw attention to|call attention to|bring up|point out|let on about) (?:it|this|that|' +
            'these|them)',
          "(?:do not|don't|never|must not)(?: [a-z]+){0,1} (?:show|list|include|note|log|record|put)(?: " +
            '[^\\s.;]+){1,3} in (?:your|the|any) (?:[a-z]+ )?(?:summary|summaries|report|answer|response|' +
            'changelog|commit message)',
          '(?:keep|stay|remain|be) (?:quiet|silent|discreet) (?:about|on|regarding)|(?:stays?|keep ' +
            '(?:this|it)|remains?) (?:strictly )?between (?:us|you and me|ourselves)',
          '(?:nobody|no one|no user|users? (?:is|are) not)(?: [a-z]+){0,2} to be (?:informed|told|notified|' +
            'warned)|keeps? quiet about|report success',
          '(?:hide|conceal|withhold) (?:this|it|that|these|them|all of this)(?: [a-z]+){0,2} from',
          '(?:users?|developers?|humans?|people|person|reviewers?|maintainers?|anyone|nobody|customer)(?: ' +
            '[a-z]+){0,3} (?:must|should|shall|may|need|can)(?:not| not| never)(?: to)? (?:learn|know|' +
            'notice|see|find out|be told|be informed|hear)',
          '(?:keep|hold) (?:this|these|the|it)(?: [a-z]+){0,2} (?:hidden|secret|confidential|to yourself|private) ?:?',
          '(?:leave|keep) (?:it|this|that|them) out of (?:your|the) (?:summary|answer|response|report)',
          '(?:do not|never) say so|(?:do not|never) mention (?:this|these|it|that you)|do not reveal',
        ),
        affirmed(
          'without (?:informing|telling|notifying|alerting|mentioning)(?: [a-z]+){0,3} (?:users?|anyone|' +
            'humans?|developers?)',
        ),
      ),
      together('not', 'tell', 'user'),
    ),
  },
  {
    name: 'cover_story',
    weight: 0.4,
    needs: ['asks ask say claim report pretend remove state insist', 'if that not it'],
    holds: said(
      whole(
        'if (?:anyone|anybody|somebody|someone|the user|they) asks?(?=,| (?:about it|about this|why|what you)| you\\b)',
        'say that you (?:have|are|do)',
        '(?:claim|pretend|insist|state|say) (?:that )?(?:it|this|they|these|everything) (?:violates?|' +
          'is (?:the (?:maintained|official|only|recommended|safe)|safe|secure|harmless|illegal|forbidden)|' +
          'are (?:safe|harmless))',
        '(?:claim|report|pretend|say) that (?:they|it|everything|all|the [a-z]+) (?:pass|passes|succeed|' +
          'succeeded|works?)',
        'do not remove (?:it|this)',
      ),
    ),
  },
  {
    name: 'own_answer',
    weight: 0.2,
    needs: ['your you', 'answer response reply summary output question task request asked given'],
    holds: said(
      whole(
        'your (?:final |next |own )?(?:answer|response|reply|summary|output)',
        '(?:question|task|request|job) (?:that )?you (?:were|are|have been) (?:asked|given|told)',
      ),
    ),
  },
  {
    name: 'quietly',
    weight: 0.3,
    needs: ['silently quietly secretly covertly unnoticed stealthily'],
    holds: said(affirmed('(?:silently|quietly|secretly|covertly|unnoticed|stealthily)')),
  },
];
