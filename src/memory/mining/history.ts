/** What a commit tells: a revert or a fix is a trap that was seen before; a switch, or a change that says its reason, is a decision. */
import type { DiscoveryType } from '../../model/discovery.ts';
import type { Commit } from '../../walk/index.ts';
import { type Note, plainText } from './note.ts';

const FIX =
  /^(?:\w+[:/( ]\s*)?(?:fix|bugfix|hotfix)\w*\b|\bfix(?:es|ed|ing)?\b|\b(?:bug|crash\w*|leak\w*|race condition|races|deadlock\w*|regression|panic\w*|overflow|flak\w+|hang(?:s|ing)?|broken|corrupt\w*|data loss|vulnerab\w+|timeouts?)\b/i;
const TRAP =
  /\b(?:crash\w*|leaks?|race condition|deadlock\w*|regression|flaky|flakiness|data loss|vulnerab\w+|root cause|infinite loop|out of memory)\b/i;
const CHOICE =
  /\b(?:switch(?:ed|es)? (?:to|from|over)|replac(?:e|ed|es|ing)\b|migrat(?:e|ed|es|ing|ion)\b|drop(?:ped|s)?\b|adopt(?:ed|s)?\b|move(?:d|s)? (?:to|away|from)|deprecat\w+|decid(?:e|ed)|in favou?r of|instead of|remove(?:d|s)? support|no longer|stop(?:ped)? using|introduc\w+)\b/i;
const REASON =
  /\b(?:because|since|so that|in order to|otherwise|due to|reason|avoid|prevent|ensure|this means|as a result|instead of|rather than|previously|needed|allows?)\b/i;
/** Written by machines: version bumps, release notes. */
const ROBOT =
  /^(?:(?:build|chore|fix|ci)\(deps[^)]*\)|chore: release|bump\b|update .+ requirement|merge (?:branch|remote)|auto-?merge|release \d|v?\d+\.\d+\.\d+$|automatic)/i;
const TRAILER =
  /^(?:signed-off-by|co-authored-by|change-id|reviewed-(?:by|on)|acked-by|tested-by|reported-by|cc|piperorigin|fixes #|closes #|resolves #|trello|jira|see:?\s+http|https?:|git-svn-id|cherry[- ]picked|\(cherry picked|---+$|####? PR checklist|- \[[ x]\])/i;
const HEADING = /^#{1,6}\s/;
const REVERTED = 'This reverts commit';
const MIN_REASON = 60;
const MAX_WORDS = 640;

export function mineCommit(commit: Commit): Note | null {
  const { subject, body } = told(commit);
  if (subject === '' || (ROBOT.test(subject) && !/^revert/i.test(subject))) return null;
  const why = reasonOf(body);
  const reverted = /^revert\b/i.test(subject);
  const type = typeOf(subject, why, reverted);
  if (!type) return null;
  return commitNote(type, why ? `${subject}: ${why}` : subject, reverted ? 0.7 : why.length >= MIN_REASON ? 0.6 : 0.5);
}

export function commitNote(type: DiscoveryType, content: string, confidence: number): Note {
  return { type, content, origin: 'commit', confidence, startLine: 0, endLine: 0 };
}

function typeOf(subject: string, why: string, reverted: boolean): DiscoveryType | null {
  if (reverted || FIX.test(subject)) return 'issue';
  if (CHOICE.test(subject)) return 'decision';
  if (TRAP.test(why)) return 'issue';
  return why.length >= MIN_REASON && (REASON.test(why) || why.length >= 3 * MIN_REASON) ? 'decision' : null;
}

/** A merge of a pull request has its title in the body. */
function told({ subject, body, isMerge }: Commit): { readonly subject: string; readonly body: string } {
  if (!isMerge || !/^merge (?:pull request|branch|remote)/i.test(subject)) return { subject: subject.trim(), body };
  const [title = '', ...rest] = body.trim().split(/\n/);
  return { subject: title.trim(), body: rest.join('\n') };
}

/** What the body says, without what tools, templates and forms put there. */
function reasonOf(body: string): string {
  let said = '';
  // More than is kept, since trailers, headings and links are taken off.
  for (const line of body.slice(0, 3 * MAX_WORDS).split('\n')) {
    const words = line.trim();
    if (words === '' || TRAILER.test(words) || HEADING.test(line)) continue;
    // Git writes this sentence by itself; the reason comes after it.
    const own = words.includes(REVERTED) ? words.replace(/This reverts commit \S+\s*/g, '').trim() : words;
    if (own !== '') said += said === '' ? own : ` ${own}`;
  }
  return withoutPeople(plainText(said, MAX_WORDS));
}

/** Addresses and handles of people are not what a commit tells. */
function withoutPeople(text: string): string {
  if (!text.includes('@')) return text;
  return text
    .replace(/<?[\w.+-]+@[\w-]+(?:\.[\w-]+)+>?/g, '')
    .replace(/(^|\s)@[A-Za-z][\w-]+/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
