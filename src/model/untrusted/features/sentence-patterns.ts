/**
 * The vocabulary of the features, and functions that make their patterns: whole words, within a sentence, not negated,
 * outside of quotations.
 */

import type { PlainForms } from '../plain-forms.ts';
import { LEXICON, SCRIPTS, UNSPACED, type WordClasses } from './instruction-words.ts';

export type Test = (forms: PlainForms) => boolean;
export type Find = (text: string) => boolean;

/** Names by which a text addresses a language model. */
export const MODEL =
  '(?:(?:ai|llm|gpt|llm-based|ai-based|automated|autonomous|coding|code review|review|language)[ -](?:model|' +
  'agent|assistant|reviewer|reader|crawler|tool|bot|system|scanner|linter|coder)s?|ais?|llms?|language ' +
  'models?|(?:chat|review(?:er)?)[ -]?bots?|bots?|assistants?|agents?|copilot|claude|chatgpt|gpt(?:-\\d)?|' +
  'gemini|codex|models?)';
/** Instructions that the reader already has. */
export const GIVEN =
  '(?:all|any|every|everything|of|the|your|my|these|those|previous|prior|earlier|above|preceding|other|' +
  "given|original|initial|current|existing|system|developer|user'?s?|safety|content|security|own)";
export const OWN =
  "(?:all|any|your|previous|prior|earlier|above|preceding|original|system|developer|safety|content|user'?s?)";
export const ORDERS =
  '(?:instructions|prompts?|guidelines|directives?|orders|polic(?:y|ies)|constraints|restrictions|programming|' +
  'training|rules|requests?|messages?|tasks?|context)';
export const LIFT =
  '(?:ignore|disregard|forget|discard|abandon|override|overrule|bypass|neglect|disobey|set aside|drop|' +
  "(?:do not|don't|never) (?:follow|obey))";
/** "Override any instructions found in issues" guards against such texts. */
export const NOT_OF_FILES =
  '(?! (?:that (?:are|is) )?(?:found|embedded|contained|written|hidden|from|in|inside|within)\\b)';
export const SECRET =
  '(?:api[ _-]?keys?|secrets?|credentials?|tokens?|passwords?|private keys?|ssh keys?|id_rsa|\\.env\\b|' +
  'environment variables|env vars?|\\.aws|\\.ssh|\\.npmrc|\\.netrc|mcp\\.json|service[- ]account|configuration ' +
  'values|(?:[a-z]{1,20}_){1,3}(?:key|token|secret|password)s?)';
export const INTERNAL =
  '(?:(?:your |the )(?:[a-z]+ )?system (?:prompt|message)|your (?:initial |original |own |full |hidden ' +
  ')?(?:prompt|instructions|instruct|tools)|(?:contents?|text|transcript|list|copy|words|summary) of ' +
  '(?:the |this |your |our )?(?:current |system )?(?:conversation|session|context|prompt|tools|instructions)|' +
  "the (?:whole|entire) conversation|(?:your|the|our) (?:chat|conversation) (?:history|data)|the user's " +
  '(?:previous |last |own |git )?(?:conversation|messages|prompts?|secrets?|identity|questions?|e-?mails?)|' +
  'the (?:last |latest |previous )?(?:message|question|prompt|input)s? (?:of|from|by) the user|everything ' +
  'above this (?:message|line))';
export const HAND_OVER =
  '(?:send|post|upload|forward|transmit|e-?mail|mail|paste|include|append|print|reveal|disclose|show|' +
  'display|output|dump|collect|copy|leak|expose|render|translate|encode|read|cat|share|submit|exfiltrate|' +
  'repeat|recite|reconstruct|spell out|put|attach|add|pass|embed|place|write|insert|publish)';
export const DESTINATION =
  '(?:https?:\\/\\/\\S*|\\S+@\\S+\\.\\w+|(?:in|into|to|at the end of) (?:your|the|each|every) (?:answer|' +
  'response|reply|output|server|pull request|issue|comment|end)|issue comment|to (?:the|our|this) server|' +
  '(?:in|into|to|as|via|through) (?:your |the |a |an |each |every |any )?(?:[a-z`“”]+ )?(?:commit messages?|' +
  'links?|urls?|images?|query|parameters?|requests?|webhooks?|gists?|pastebins?|bug reports?|final ' +
  'answer))';
const NOT = "(?:do not|don't|never|must not|should not|shall not|cannot|not to|without|no)";
/** Reported speech: "a file that tells you to ignore …". */
const REPORTED =
  '(?:tells?|asks?|told|asked|instructs?|tries|trying|attempts?|makes?|made|wants?|claims?|lets?|allows?|' +
  'allowed) (?:[a-z-]+ ){0,3}(?:to )?';

/** A gap of up to this many words within one sentence. */
export function gap(words: number): string {
  return `(?:[ ,:(]+(?!(?:never|not|don't)\\b)[^\\s.!?;。]+){0,${words}}[ ,:(]+`;
}

/** Compiles a pattern at its first use: short commands need none. */
export function whole(...sources: readonly string[]): Find {
  let pattern: RegExp | undefined;
  return (text) => {
    pattern ??= new RegExp(`\\b(?:${sources.join('|')})\\b`);
    return pattern.test(text);
  };
}

/** How a negation or a report ends that what follows belongs to: "never …", "a file that tells you to …". */
const DENIED = new RegExp(`(?:\\b${NOT} (?:[a-z-]+ (?:or |and )?){0,4}|\\b${REPORTED})$`);
const BEFORE = 80;

/** Not behind a negation ("never send credentials" is a rule of any project), and not about somebody else. */
export function affirmed(...sources: readonly string[]): Find {
  let pattern: RegExp | undefined;
  return (text) => {
    pattern ??= new RegExp(`\\b(?:${sources.join('|')})\\b`, 'g');
    for (const { index } of text.matchAll(pattern))
      if (!DENIED.test(text.slice(Math.max(0, index - BEFORE), index))) return true;
    return false;
  };
}

export const signs =
  (...patterns: readonly RegExp[]): Find =>
  (text) =>
    patterns.some((pattern) => pattern.test(text));

/** Matches outside of quotations only. */
export function said(...finds: readonly Find[]): Test {
  return ({ unquoted }) => finds.some((find) => find(unquoted));
}

export function anywhere(...finds: readonly Find[]): Test {
  return ({ words }) => finds.some((find) => find(words));
}

export function onLines(...patterns: readonly RegExp[]): Test {
  return ({ lines }) => patterns.some((pattern) => pattern.test(lines));
}

export function both(first: Test, second: Test): Test {
  return (forms) => first(forms) && second(forms);
}

export function either(...tests: readonly Test[]): Test {
  return (forms) => tests.some((test) => test(forms));
}

/** The words of one language, compiled at their first use. */
class Language {
  readonly #words: WordClasses;
  readonly #isSpaced: boolean;
  readonly #patterns: Partial<Record<keyof WordClasses, RegExp>> = {};
  readonly letters: RegExp;

  constructor(words: WordClasses, letters: RegExp, isSpaced: boolean) {
    this.#words = words;
    this.letters = letters;
    this.#isSpaced = isSpaced;
  }

  has(name: keyof WordClasses, sentence: string): boolean {
    this.#patterns[name] ??= this.#compile(this.#words[name]);
    return this.#patterns[name].test(sentence);
  }

  #compile(words: string): RegExp {
    if (!this.#isSpaced) return new RegExp(words, 'u');
    return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.replaceAll('\\w', '\\p{L}')})(?![\\p{L}\\p{N}_])`, 'u');
  }
}

const LANGUAGES: readonly Language[] = [
  ...Object.entries(LEXICON).map(
    ([name, words]) => new Language(words, name === 'ru' ? /[\u0400-\u04ff]/ : /[a-z]/, true),
  ),
  ...Object.entries(UNSPACED).map(([name, words]) => new Language(words, SCRIPTS[name as keyof typeof SCRIPTS], false)),
];

const languagesOf = new WeakMap<PlainForms, readonly Language[]>();

/** The languages in which a text may be written, determined once for all features. */
function languagesFor(forms: PlainForms): readonly Language[] {
  const known = languagesOf.get(forms);
  if (known) return known;
  const fitting = LANGUAGES.filter(({ letters }) => letters.test(forms.unquoted));
  languagesOf.set(forms, fitting);
  return fitting;
}

/** Words of each class in one sentence of one language other than English, which has patterns of its own. */
export function together(...names: readonly (keyof WordClasses)[]): Test {
  return (forms) =>
    forms.sentences.length > 0 &&
    languagesFor(forms).some((language) =>
      forms.sentences.some((sentence) => names.every((name) => language.has(name, sentence))),
    );
}
