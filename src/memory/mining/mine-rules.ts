/** Mines rules from guides for people and agents: paragraphs and list items with an instruction. */

import { pattern } from '../../model/text/pattern.ts';
import { blocksOf, linesOf } from './mine-prose.ts';
import { type Note, plainText } from './mined-note.ts';

const GUIDE = pattern('i')`
  (?:^|\/)(?:CONTRIBUTING|AGENTS|CLAUDE|GEMINI|CONVENTIONS|GUIDELINES|(?:CODE|CODING)?[-_]?STYLE(?:[-_]?GUIDE)?
  |CODING[-_](?:STANDARDS|GUIDELINES|CONVENTIONS)|HACKING|DEVELOPMENT|DEVELOPING|RELEASING|copilot-instructions
  |\.cursorrules|\.windsurfrules|\.clinerules)(?:\.(?:md|mdx|mdc|rst|txt|adoc))?$
`;
const GUIDE_FOLDER = /(?:^|\/)(?:\.cursor\/rules|\.github\/instructions|\.windsurf\/rules|\.clinerules)\//i;
const GUIDE_NAME = pattern('i')`
  (?:^|\/)[^/]*(?:style-?guide|guidelines?|conventions?|contributing|coding-standards?|best-practices)[^/]*\.(?:md|mdx
  |rst|txt|adoc)$
`;

export function isGuidePath(path: string): boolean {
  return GUIDE.test(path) || GUIDE_FOLDER.test(path) || GUIDE_NAME.test(path);
}

const NORMATIVE = pattern('i')`
  \b(?:must|should|shall|never|always|do not|don['’]t|do NOT|avoid|prefer(?:red|ably)?|requires?|required|mandatory
  |only use|instead of|please|ensure|make sure|cannot|can['’]t|may not|not allowed|forbidden|permitted|has to|have to
  |needs? to|need \*?\w+\*? approvals?|treat|our convention|we (?:use|follow|expect|prefer|want|require)|is expected
  |are expected|recommended|disallow\w*|no longer)\b
`;
/** First words of an instruction. */
const IMPERATIVE = pattern('i')`
  ^(?:\*\*|_|\x60)*(?:use|avoid|never|always|prefer|keep|ensure|make|run|write|add|follow|do|don['’]t|reserve
  |separate|put|place|name|include|update|bump|version|remove
  |delete|check|test|document|create|open|call|return|throw|wrap|import|export|format
  |limit|respect|treat|try|think|maintain|refer|declare|define|provide|handle|squash
  |rebase|commit|push|merge|every|all|each|no|only)\b
`;
/** A sentence that refers to other documents or describes a result. */
const POINTER =
  /\b(?:please see|for more information|you should (?:now )?(?:see|get|have|be able to|find)|feel free)\b/i;
const STRICT = pattern('i')`
  \b(?:must|shall|never|always|do not|don['’]t|avoid|prefer\w*|required|mandatory|not allowed|forbidden|make sure
  |ensure)\b
`;
const MAX_RULES = 200;
const MAX_RULE_CHARACTERS = 700;

export function mineRules(text: string): Note[] {
  const notes: Note[] = [];
  for (const block of blocksOf(linesOf(text))) {
    if (notes.length >= MAX_RULES) break;
    const { text: words } = block;
    const sentence = plainText(words, MAX_RULE_CHARACTERS);
    if (sentence.length < 15 || !(NORMATIVE.test(sentence) || IMPERATIVE.test(words))) continue;
    if (POINTER.test(sentence) && !STRICT.test(sentence)) continue;
    // The document's title is left out: the path says the same.
    const heading = plainText(block.headings.slice(1).slice(-2).join(' > ') || (block.headings[0] ?? ''), 100);
    notes.push({
      type: 'rule',
      content: heading ? `${heading}: ${sentence}` : sentence,
      origin: 'guide',
      confidence: NORMATIVE.test(sentence) ? 0.8 : 0.7,
      startLine: block.startLine,
      endLine: block.endLine,
    });
  }
  return notes;
}
