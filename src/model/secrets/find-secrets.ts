/**
 * Access tokens in a text, by the rules of gitleaks (gitleaks.json, made by scripts/secret-rules.mjs). A rule's pattern
 * runs only over a text that holds one of its keywords.
 */
import { pattern } from '../text/pattern.ts';
import data from './gitleaks.json' with { type: 'json' };
import { createKeywordScan, type KeywordScan } from './keyword-scan.ts';

export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** The id of the rule in gitleaks: `github-pat`. */
  readonly rule: string;
}

/** A rule in gitleaks.json. */
interface RuleData {
  readonly id: string;
  readonly pattern: string;
  readonly keywords: readonly string[];
  readonly entropy?: number;
  readonly allow?: readonly string[];
}

interface Rule {
  readonly id: string;
  /** Compiled at the first use. */
  pattern: RegExp | null;
  readonly source: string;
  readonly minEntropy: number;
  readonly allowed: readonly string[];
}

interface RuleSet {
  readonly scan: KeywordScan;
  /** The rules that need each keyword. */
  readonly rules: readonly (readonly Rule[])[];
}

let ruleSet: RuleSet | null = null;

/** Made at the first use, since a command that shows no text does not need the rules. */
function loadRules(): RuleSet {
  const byKeyword = new Map<string, Rule[]>();
  for (const { id, pattern: source, keywords, entropy = 0, allow = [] } of data.rules as readonly RuleData[]) {
    const rule: Rule = { id, pattern: null, source, minEntropy: entropy, allowed: allow };
    for (const keyword of keywords) byKeyword.set(keyword, [...(byKeyword.get(keyword) ?? []), rule]);
  }
  return { scan: createKeywordScan([...byKeyword.keys()]), rules: [...byKeyword.values()] };
}

/** Placeholders and examples, which are no secrets; nor is the mark of a redacted token. */
const PLACEHOLDER = pattern('i')`
  x{6}|\*{4}|\.{3}|0{10}|1234567890|abcdefghij|example|placeholder|redacted|changeme|your[-_]?(?:api|token|key|secret)
  |dummy|fake
`;

/** The spans of tokens in a text, in order and without overlaps. */
export function findSecrets(text: string): readonly SecretSpan[] {
  ruleSet ??= loadRules();
  const known = ruleSet.rules;
  const rules = new Set<Rule>();
  ruleSet.scan(text, (keyword) => {
    for (const rule of known[keyword]!) rules.add(rule);
  });
  if (rules.size === 0) return [];
  const spans = [...rules].flatMap((rule) => [...spansOf(rule, text)]);
  return spans.length < 2 ? spans : withoutOverlaps(spans);
}

function* spansOf(rule: Rule, text: string): Generator<SecretSpan> {
  rule.pattern ??= new RegExp(rule.source, 'dg');
  for (const match of text.matchAll(rule.pattern)) {
    const [start, end] = match.indices!.slice(1).find((span) => span !== undefined && span[0] < span[1]) ?? [
      match.index,
      match.index + match[0].length,
    ];
    if (isSecret(rule, text.slice(start, end))) yield { start, end, rule: rule.id };
  }
}

function isSecret({ minEntropy, allowed }: Rule, value: string): boolean {
  return entropyOf(value) > minEntropy && !PLACEHOLDER.test(value) && !allowed.some((each) => RegExp(each).test(value));
}

/** Shannon entropy in bits per character, which is low for words and counters. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

function withoutOverlaps(spans: SecretSpan[]): SecretSpan[] {
  spans.sort((one, other) => one.start - other.start || other.end - one.end);
  const kept: SecretSpan[] = [];
  for (const span of spans) {
    const last = kept.at(-1);
    if (!last || span.start >= last.end) kept.push(span);
    else if (span.end > last.end) kept[kept.length - 1] = { ...last, end: span.end };
  }
  return kept;
}
