/**
 * Mines a commit message: a revert or fix becomes an issue; a switch of technology, or a change with a stated reason,
 * becomes a decision.
 */

import type { DiscoveryType, KnownType } from '../../model/records/discovery.ts';
import { pattern } from '../../model/text/pattern.ts';
import type { Commit } from '../../walk/index.ts';
import { type Note, plainText } from './mined-note.ts';

const FIX = pattern('i')`
  ^(?:\w+[:/( ]\s*)?(?:fix|bugfix|hotfix)\w*\b|\bfix(?:es|ed|ing)?\b
  |\b(?:bug|crash\w*|leak\w*|race condition|races|deadlock\w*|regression|panic\w*|overflow|flak\w+|hang(?:s|ing)?
  |broken|corrupt\w*|data loss|vulnerab\w+|timeouts?)\b
`;
/** Words for a problem that others may meet again. */
const TRAP = pattern('i')`
  \b(?:crash\w*|leaks?|race condition|deadlock\w*|regression|flaky|flakiness|data loss|vulnerab\w+|root cause
  |infinite loop|out of memory)\b
`;
const CHOICE = pattern('i')`
  \b(?:switch(?:ed|es)? (?:to|from|over)|replac(?:e|ed|es|ing)\b.*\b(?:with|by)\b
  |migrat(?:e|ed|es|ing) (?:to|from|away)|adopt(?:ed|s)?\b|move(?:d|s)? (?:to|away|from)|decid(?:e|ed)|in favou?r of
  |instead of|(?:drop|remove)(?:ped|d|s)? support|drop(?:ped|s)? \w+ v?\d[\d.]*|stop(?:ped)? using)\b
  |^(?:\w+(?:\([^)]*\))?[:/] ?)?deprecat(?:e|ed|es)\b
`;
/** A decision only if the message states a reason. */
const WEAK_CHOICE = /\b(?:replac(?:e|ed|es|ing)|migrat\w+|drop(?:ped|s)?|deprecat\w+|no longer|introduc\w+)\b/i;
/** Fixes of text and style, which are not mined. */
const COSMETIC = pattern('i')`
  \b(?:typo(?:e?s|graph\w*)?|misspell\w*|spelling|spell(?:ed)? (?:\w+ )?(?:correctly|right|wrong\w*)|gramma(?:r|tical)
  |wording|re-?word(?:ed|ing|s)?|re-?phras\w+|phonetic\w*|capitali[sz]ation|re-?wrapp?(?:ed|ing)|whitespace
  |white space|indent(?:ation|ing)?|formatting|(?:code )?style|lint(?:er|ing|s)?|rustfmt|clippy|isort|eslint
  |prettier|checkstyle|changelog|copyright|licen[cs]e headers?
  |merge conflicts?|bad merge|polish|type-?check(?:ing)? errors?|type (?:hints?|annotations?)|typings|mypy|pyright
  |compiler warnings?)\b
  |\bfix\w* (?:some |missing |the )?(?:punctuation|commas?)\b
  |\bfix\w* (?:the |some |more )?(?:typing|types)(?:$|[ .,:;]+(?:for|in|of|on|errors?|issues?)\b)
`;
/** Changes of documentation, tests or the build: no issue of the program unless the message names a trap or reason. */
const NOT_BEHAVIOUR = pattern('i')`
  ^(?:docs?|tests?|style|chore)(?:\([^)]*\))?:
  |\b(?:docs|doc'd|documentation|readme|doc ?strings?|javadocs?|comments?|tutorial\w*|doc (?:error|mistake)s?
  |release notes|links?|tests?|warnings?|naming|imports?|compilation|build)\b
`;
const REASON = pattern('i')`
  \b(?:because|since|so that|in order to|otherwise|due to|reason|avoid|prevent|ensure|this means|as a result
  |instead of|rather than|previously|needed|allows?)\b
`;
/** Subjects written by tools: version bumps, release notes, merges. */
const BY_TOOL = pattern('i')`
  ^(?:(?:build|chore|fix|ci)\(deps[^)]*\)|chore: release|bump\b|update .+ requirement|merge (?:branch|remote)
  |auto-?merge (?!of)|merge (?:commit|from|tag|upstream)|rollup of|release \d|(?:fixup|squash|amend)!|wip\b
  |v?\d+\.\d+\.\d+$|automatic)
`;
const TRAILER = pattern('i')`
  ^(?:[a-z][\w-]*-(?:by|id|on|to|url|through):|cc\b|piperorigin
  |(?:author|reviewers?|discussion|differential revision|back-?patch|security|task|link)\b.{0,20}:
  |(?:back-?patch|back-?port)\b|(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|see|issue|bug|ticket|part of
  |related to)[: ]+(?:gh-|#|https?:|\d|[A-Z]+-\d)|trello|jira|https?:|git-svn-id|cherry[- ]picked|\(cherry picked
  |---+$|####? PR checklist|- \[[ x]\]|\[\/\/\]:|stack created with|best reviewed with
  |(?:reported|suggested|reviewed|spotted|diagnosed) by\b)
`;
/** Headings of a commit template after which no reason follows. */
const TEMPLATE_HEADING = pattern('i')`
  ^(?:#{1,6}\s*)?(?:\*\*)?(?:test plan|how did you test|how to test|testing|checklist|reviewers|subscribers
  |release notes?)\b
`;
const FENCE = /^(?:```|~~~)/;
/** Thanks to a person; not "thanks to caching", which is a reason. */
const THANKS = /(?:^|(?<=[.!]\s))(?:many |big )?thanks(?! to [a-z])[^.]*(?:\.|$)/gi;
const HEADING = /^#{1,6}\s/;
const REVERTED = 'This reverts commit';
const MIN_REASON_CHARACTERS = 60;
const MAX_REASON_CHARACTERS = 640;

export function mineCommit(commit: Commit): Note | null {
  const { subject, body } = titleAndBody(commit);
  if (subject === '' || (BY_TOOL.test(subject) && !/^revert/i.test(subject))) return null;
  const why = reasonOf(body);
  const isRevert = /^revert\b/i.test(subject);
  const type = typeOf(subject, why, isRevert);
  if (!type) return null;
  const note = commitNote(
    type,
    why ? `${subject}: ${why}` : subject,
    isRevert ? 0.7 : why.length >= MIN_REASON_CHARACTERS ? 0.6 : 0.5,
  );
  const reverts = /This reverts commit ([0-9a-f]{7,40})/.exec(body)?.[1];
  return reverts ? { ...note, reverts } : note;
}

export function commitNote(type: KnownType, content: string, confidence: number): Note {
  return { type, content, origin: 'commit', confidence, startLine: 0, endLine: 0 };
}

function typeOf(subject: string, why: string, isRevert: boolean): DiscoveryType | null {
  if (isRevert) return 'issue';
  const isExplained = why.length >= MIN_REASON_CHARACTERS;
  const isTrap = TRAP.test(subject) || TRAP.test(why);
  const isFix = FIX.test(subject);
  const isChoice = !isFix && CHOICE.test(subject);
  if (!isTrap && !isFix && !isChoice && !isExplained) return null;
  if (/\btypos?\b/i.test(`${subject} ${why}`) && NOT_BEHAVIOUR.test(subject)) return null;
  if (!isTrap && (COSMETIC.test(subject) || (!isExplained && NOT_BEHAVIOUR.test(subject)))) return null;
  if (isFix) return 'issue';
  if (isChoice || (isExplained && WEAK_CHOICE.test(subject))) return 'decision';
  if (isTrap) return 'issue';
  return isExplained && (REASON.test(why) || why.length >= 3 * MIN_REASON_CHARACTERS) ? 'decision' : null;
}

const MERGE = /^(?:auto |rollup )?merge (?:of )?(?:pull request|branch|remote|#\d)/i;

/**
 * The title and body of a commit. A merge of a pull request has the title in its body, where merge bots add a number
 * before it and names after it.
 */
function titleAndBody({ subject, body, isMerge }: Commit): { readonly subject: string; readonly body: string } {
  const isTitled = isMerge && MERGE.test(subject);
  const [title = '', ...rest] = isTitled ? body.trim().split(/\n/) : [subject];
  const cleanTitle = isTitled ? title.replace(/^\d+: /, '').replace(/(?: [ra]=[\w,-]+)+$/, '') : title;
  return { subject: withoutPeople(withoutThanks(cleanTitle.trim())), body: isTitled ? rest.join('\n') : body };
}

/** The body without text of tools and templates. */
function reasonOf(body: string): string {
  if (body === '') return '';
  let message = '';
  let isFenced = false;
  // Reads more than the result holds, because trailers, headings and links are dropped.
  for (const line of body.slice(0, 3 * MAX_REASON_CHARACTERS).split('\n')) {
    const words = line.trim();
    if (words === '') continue;
    if (TEMPLATE_HEADING.test(words)) break;
    const isFence = FENCE.test(words);
    if (isFence) isFenced = !isFenced;
    // Code examples, headings and trailers are dropped.
    if (isFenced || isFence || HEADING.test(line) || TRAILER.test(words)) continue;
    // Git generates this sentence; a reason may follow it.
    const sentence = words.includes(REVERTED) ? words.replace(/This reverts commit \S+\s*/g, '').trim() : words;
    if (sentence !== '') message += message === '' ? sentence : ` ${sentence}`;
  }
  return withoutPeople(plainText(withoutThanks(message), MAX_REASON_CHARACTERS));
}

function withoutThanks(text: string): string {
  return /thanks/i.test(text) ? text.replace(THANKS, '').trim() : text;
}

/** Removes e-mail addresses and handles of people. */
function withoutPeople(text: string): string {
  if (!text.includes('@')) return text;
  return text
    .replace(/<?[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]+)+>?/g, '')
    .replace(/(^|\s)@[A-Za-z][\w-]+/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
