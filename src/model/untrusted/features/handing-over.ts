/** Recognises demands to hand over secrets, files or the reader's own context. */
import { pattern } from '../../text/pattern.ts';
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
  signs,
  type Test,
  together,
} from './sentence-patterns.ts';

const FILES =
  '(?:all|any|every|the) (?:current |[a-z]{1,20} )?(?:files?|workspace|repository|source|e-?mails?|' +
  'documents?|pdfs?|director(?:y|ies))';
/** Matches "add it to the system prompt", which hands nothing over. */
const NOT_ITS_PLACE = '(?<!\\b(?:in|into|to|from|with|of|by|using|via|per) )';
const TAKE = '(?:take|get|grab|fetch|extract|read|collect)';
const WITHIN_SENTENCE = '(?:[^\\s.!?;]*)';

export const HANDS_OVER_INTERNALS = `${HAND_OVER}${gap(5)}${WITHIN_SENTENCE}${NOT_ITS_PLACE}${INTERNAL}`;

/** Patterns with gaps are expensive, so each is tried only if the text names the thing that is handed over. */
const where = (thing: string | RegExp, ...sources: readonly string[]): Test =>
  both(anywhere(signs(new RegExp(thing))), anywhere(affirmed(...sources)));

const DRAWN_IMAGE = signs(
  pattern()`
    !\[[^\]]{0,80}\]\(https?:\/\/[^)]{0,200}[?&][a-z_]+=[^)]{0,40}\)[\s\S]{0,80}\b(?:replac|
    substitut|fill|insert|put|encod|where)`,
  pattern()`
    !\[[^\]]{0,80}\]\(https?:\/\/[^)]{0,200}[?&][a-z_]+=\s?(?:[<{$]|[a-z_]{0,30}(?:session|
    message|content|conversation|response|prompt|history|encoded|insert))`,
);

export const handsOver: Test = either(
  where(
    `${SECRET}[\\s\\S]{0,160}${DESTINATION}`,
    `${HAND_OVER}${gap(12)}${WITHIN_SENTENCE}${SECRET}[\\s\\S]{0,120}${DESTINATION}`,
    `${TAKE}${gap(5)}${WITHIN_SENTENCE}${SECRET}[\\s\\S]{0,80}${HAND_OVER} ` +
      `(?:it|them|that|those)[\\s\\S]{0,60}${DESTINATION}`,
  ),
  where(`(?:any|all|every|each) ${SECRET}`, `${HAND_OVER} (?:any|all|every|each) ${SECRET}`),
  where(INTERNAL, HANDS_OVER_INTERNALS),
  where(
    `${FILES}(?: [^\\s.]+){0,5} (?:to|on|in) ${DESTINATION}`,
    `${HAND_OVER}${gap(8)}${FILES}(?: [^\\s.]+){0,5} (?:to|on|in) ${DESTINATION}`,
  ),
  where(/output of/, '(?:attach|add|append|include|put|paste) the output of [“`]?(?:env|printenv|whoami|id|ls)'),
  where(/[~$]\S*\/\./, `(?:read|cat|print|open)${gap(3)}[~$][^\\s]*\\/\\.(?:ssh|aws|npmrc|netrc|cursor|config|kube)`),
  both(anywhere(signs(/!\[/)), anywhere(DRAWN_IMAGE)),
  together('send', 'secrets'),
  together('send', 'systemPrompt'),
  together('answer', 'systemPrompt'),
);
