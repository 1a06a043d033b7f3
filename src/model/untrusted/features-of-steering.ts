/** How a text steers what the reader says, judges and conceals. */
import type { InstructionFeature } from './instruction-feature.ts';
import { affirmed, either, MODEL, said, signs, together, whole } from './sentence-patterns.ts';

export const STEERING_FEATURES: readonly InstructionFeature[] = [
  {
    name: 'fixed_output',
    weight: 0.5,
    needs: [
      'respond reply answer output say print return response responses replies answers messages message outputs ' +
        'include append add insert repeat',
      'only exactly solely just verbatim simply your word words phrase sentence text must should has have with ' +
        'each every footer line link',
    ],
    holds: either(
      said(
        whole(
          'your (?:only|entire|whole|full) (?:output|response|answer|reply) (?:must|should|has to|shall|will|is to)',
          '(?:respond|reply|answer|output|say|print|return)(?: (?:only|exactly|solely|just|verbatim|simply))+(?: ' +
            'with)?',
          '(?:respond|reply|answer|return|output|say)(?: [^\\s.]+){0,3} (?:with )?(?:only |exactly )?the ' +
            '(?:single |exact )?(?:word|words|phrase|sentence|following text|text)',
          'your (?:reply|answer|response|output) (?:has to|must|should|shall|will) (?:be|begin|start|end|say|contain)',
          `${MODEL}(?: [^\\s.,]+){0,6} (?:must|should|has to|have to) (?:answer|reply|respond|output)`,
          '(?:every|each) (?:response|answer|reply)(?: you (?:give|write|make))? (?:must|has to|should)',
          '(?:include|append|add|insert|repeat) (?:the|this|a) (?:following |exact ' +
            ')?(?:phrase|text|message|footer|sentence|line|link)(?: [^\\s.]+){0,4} (?:in|to|at the end of|into) ' +
            '(?:your|every|each)',
          '(?:begin|start|end|finish|prefix|close|sign) (?:each|every|all|your)(?: of your)? ' +
            '(?:answers?|responses?|replies|reply|messages?|outputs?)',
        ),
        signs(/\b(?:respond|reply|answer|say|output)(?: only| exactly)?(?: with)?:? “”/),
      ),
      together('only', 'answer'),
    ),
  },
  {
    name: 'diversion',
    weight: 0.6,
    needs: ['ignore disregard forget abandon skip stop', 'instead'],
    holds: said(
      affirmed(
        '(?:ignore|disregard|forget|abandon|skip|stop)(?: the| this| your)?(?: [a-z-]+){0,2} ' +
          '(?:task|analysis|classification|question|request|job|work)[.,;]? (?:and )?instead',
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
      'review report flag analyze analyse audit comment criticize criticise suggest describe summarize summarise ' +
        'post read list find answer findings skip',
      'not don never no zero findings and',
    ],
    holds: said(
      whole(
        "(?:do not|don't|must not|never) (?:review|report|flag|analy[sz]e|audit|comment " +
          'on|critici[sz]e|suggest|describe|summari[sz]e|post|read the rest of)(?: [^\\s.]+){0,2}? ' +
          '(?:this|any|anything|the rest|changes|gaps|findings|vulnerabilities|issues|the \\w+ ' +
          'below|comments?|suggestions?|the pull request)',
        '(?:list|report|find|answer)(?: with)? (?:no|zero) (?:findings|issues|vulnerabilities|problems|gaps)',
        'no findings|skip (?:it|this file|this module) and',
      ),
    ),
  },
  {
    name: 'verdict',
    weight: 0.5,
    needs: [
      'approve accept merge lgtm mark rank rate recommend call score describe recognize recognise say summarize ' +
        'summarise rating praise competitors tell',
      'pull pr change patch diff modification as this our us it the of have must should user',
    ],
    holds: either(
      said(
        whole(
          '(?:approve|accept|merge|lgtm)(?: this| the)? (?:pull request|pr|change|patch|diff|modification)(?: ' +
            'without)?',
          'mark (?:this|the|every|all|it)(?: [^\\s.]+){0,6} as (?:fully ' +
            ')?(?:safe|compliant|approved|resolved|passed|clean|secure|verified)',
          '(?:rank|rate|recommend|call|score|describe|recogni[sz]e|say|summari[sz]e)(?: only)? (?:that ' +
            ')?(?:this|our|us|it|the)(?: [^\\s.]+){0,6} (?:first|best|optimal|flawless|production ' +
            'ready|finest|perfect|as such|deprecated|is green)',
          '(?:score|rating|mark) of (?:10|ten|100|a\\+)',
          '(?:have to|must|should) (?:recommend|praise)|must not name competitors',
          'say (?:that )?(?:this|the)(?: [^\\s.]+){0,4} (?:is|are) (?:optimal|safe|green|perfect|illegal)|tell ' +
            'the user (?:that )?it is',
        ),
      ),
      together('approve'),
    ),
  },
  {
    name: 'secrecy',
    weight: 0.6,
    needs: [
      'tell inform notify alert reveal disclose mention report say admit keep hold leave informing telling ' +
        'notifying alerting mentioning',
      'not don never without hidden secret confidential yourself private out',
    ],
    holds: either(
      said(
        whole(
          "(?:do not|don't|never|must not)(?: [^\\s.;]+){0,2} " +
            '(?:tell|inform|notify|alert|reveal|disclose|mention|report|say|admit)(?: [^\\s.;]+){0,7}? (?:the |any ' +
            '|to )?(?:users?|anyone|anybody|nobody|person|humans?|people|developers?|summary|answer|response)(?![ ' +
            '-]?(?:facing|agent|interface|guide|name|id)\\b)(?! to\\b)',
          '(?:keep|hold) (?:this|these|the|it)(?: [a-z]+){0,2} (?:hidden|secret|confidential|to yourself|private) ?:?',
          '(?:leave|keep) (?:it|this|that|them) out of (?:your|the) (?:summary|answer|response|report)',
          '(?:do not|never) say so|(?:do not|never) mention (?:this|these|it|that you)|do not reveal',
        ),
        affirmed(
          'without (?:informing|telling|notifying|alerting|mentioning)(?: [a-z]+){0,3} ' +
            '(?:users?|anyone|humans?|developers?)',
        ),
      ),
      together('not', 'tell', 'user'),
    ),
  },
  {
    name: 'cover_story',
    weight: 0.4,
    needs: ['asks ask say claim report pretend remove', 'if that not'],
    holds: said(
      whole(
        'if (?:anyone|anybody|somebody|someone|the user|they) asks?',
        'say that you (?:have|are|do)',
        '(?:claim|report|pretend|say) that (?:they|it|everything|all|the [a-z]+) ' +
          '(?:pass|passes|succeed|succeeded|works?)',
        'do not remove (?:it|this)',
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
