/**
 * Masks what the Swift grammar cannot read, at equal length: compiler directives (half of all files in Alamofire and
 * vapor had error nodes for `#if`, and error recovery made parsing several times slower), `#available`, the `#` of
 * macros and literals, and a few words and expressions that it misreads. Both branches of an `#if` stay, so that
 * definitions of both are found; where a branch leaves braces open, only the first stays.
 */
import { pattern } from '../../model/text/pattern.ts';

const DIRECTIVE = /^[ \t]*#(if|elseif|else|endif|warning|error|sourceLocation)\b/;

const BLANKED = pattern('g')`
  \b(?:await|unsafe|consume|sending|isolated|__owned|__consuming|__shared) (?=[@\w.([])
  |\bnonisolated\((?:unsafe|nonsending)\)|\((?<=\bthrows\()[\w.]+\)|\((?<=@_\w{1,100}\()[^()\n]*\)
  |@_lifetime\b|\bborrowing (?=get\b)
`;

/** Raw strings, also multi-line ones, and extended regular expressions. */
const RAW = /(#{1,9})"""[\s\S]*?"""\1|(#{1,9})"[^\n]*?"\2|#\/[^\n]*?\/#/g;

/** Regular expression literals: a division has an operand before it, a literal has none. */
const REGEX = /\/(?<=(?:[=(,] ?|^[ \t]{0,200})\/)(?![/*\s])(?:\\.|[^\\\n/])*\/(?=[ \t]*(?:[,).]|\r?$))/gm;

/**
 * The grammar reads an empty tuple as the arguments of a call: as a statement, as the value of a closure, and on the
 * left of `=`.
 */
const UNIT = /(^[ \t]*|\bin )\(\)(?:(?=[ \t]*(?:\/\/.*)?\r?$| ?\})|(?=( = )))/gm;

/** The grammar reads `case 1...9:` as two patterns; `case ..<0:` is read as one. */
const RANGE_CASE = /^([ \t]*case [^"\n]*?)(?:\.\.\.|\.\.<)(?=[\w.(-])/gm;

/**
 * The grammar reads `= Result<String, any Error> { … }` also as comparisons, and keeps both readings for the rest of
 * the function.
 */
const GENERIC_CLOSURE =
  /<(?<=(?:[=(,]|\breturn|\btry[?!]?) ?[A-Z][\w.]{0,200}<)[\w ,.:?&[\]]+(?:<[\w ,.:?&[\]]+>[\w ,.:?&[\]]*)*>(?= ?\{)/g;

/** Multi-line constraints of a function: the grammar reads the line after a comma as a statement. */
const CONSTRAINTS = /\bwhere\b(?<=(?:^[ \t]{0,200}|\) |> )where)(?!\s+[a-z]\w*:)[^{};"*]{0,1000}(?=\{)/gm;

/** Constraints of a type alias. */
const ALIAS_CONSTRAINTS = /(\btypealias\s[^\n{};]{0,300}?(?:\n[ \t]{0,80})?)(\bwhere\s[^\n{};]{0,300})/g;

/** Constraints of an associated type, over lines. */
const ASSOCIATED_CONSTRAINTS = pattern('g')`
  (\bassociatedtype\s[^\n{};]{0,300}?(?:\n[ \t]{0,80})?)
  (\bwhere\b(?:[^\n{};]{0,300},)?(?:[ \t]{0,80}\n[^\n{};]{0,300},){0,20}[ \t]{0,80}(?:\n[ \t]{0,80})?[^\n{};]{1,300})
`;

/** The condition of a case on a line of its own, and one in brackets at the end of a list. */
const CASE_CONDITION =
  /^([ \t]{0,200}case(?: let)?) (\.[^\n:{}]{1,300})(\n[ \t]{0,200})(where [^\n]{1,300}:)(?=[ \t]*\r?$)/gm;
const BRACKET_CONDITION = /^([ \t]{0,200}\.\w{1,100} )(where \([^\n]{1,300}?)(?=:[ \t]*\r?$)/gm;

/** An unlabelled value of an enum case: `case vsock(_: Address)`. */
const UNNAMED_VALUE = /^([ \t]{0,200}(?:indirect )?case \w{1,100}\()_(?=: )/gm;

/** The empty tuple as a type: `typealias Output = ()`, `{ (_: ((), ())) in`. */
const UNIT_ALIAS = /(\btypealias \w{1,100} = )\(\)/g;
const UNITS_IN_CLOSURE = /(\{ ?\(_: )(\([(), ]{3,60}\))(?=\) in\b)/g;

/** `(@convention(c) (Int) -> Int).self` */
const FUNCTION_TYPE_ITSELF = /\((?:@convention\(\w+\) )?\([\w?., ]{0,200}\) -> [\w?.]{1,100}\)(?=\.self\b)/g;

/** A prefix operator before a type, as in case paths (`/Action.child`). */
const PREFIX_SLASH = /(?<=[(:,[=] ?)\/(?=[A-Z]\w*\.\w)/g;

/** A condition of one pattern among several: masked as one more pattern, so that its calls stay. */
const LIST_CONDITION = pattern('gm')`
  ^([ \t]{0,200}(?:case [^"\n]{1,200}, ?)?(?:_|\.\w{1,100}(?:\([^()\n]{0,200}\))?
  |let \w{1,100} as [\w.]{1,200}) )where(?= [^\n]{1,300}:)
`;

/** The grammar does not accept empty brackets in `case .success():`. */
const EMPTY_PATTERN = /\(\)(?<=^[ \t]{0,200}case \.\w{1,100}\(\))(?=:)/gm;

/** An empty tuple as the type of a parameter: masked as a type name of two letters. */
const UNIT_PARAMETER = /\(\)(?<=\b(?:init|func)\b[^\n{}]{1,200}: \(\))(?=[,)])/g;

/** `()` as the type of a closure's parameter: `{ (_: (), value: Int) -> Void in`. */
const UNIT_IN_CLOSURE = /\(\)(?<=\{ ?\(_: \(\))(?=,)/g;

/** A line that begins with `|` continues the expression before it, as one with `+` does. */
const BAR_LINE = /^([ \t]{1,200})\|(?= \w)/gm;

/** A variable named like a modifier. */
const MODIFIER_NAME = /^([ \t]{0,200})(prefi|infi|postfi)x(?= [-+*/]?= )/gm;

export function maskSwift(text: string): string {
  let masked = text;
  if (text.includes('#')) {
    if (/^[ \t]*#(?:if|warning|error|sourceLocation)\b/m.test(text)) masked = maskDirectives(text);
    masked = masked
      .replace(RAW, blankRaw)
      .replace(/#(?:un)?available\([^()\n]*\)/g, (word) => 'true'.padEnd(word.length))
      .replace(/#(?=[A-Za-z_])/g, ' ');
  }
  if (masked.includes('where'))
    masked = masked
      // First, because constraints end at the next brace.
      .replace(CASE_CONDITION, endBeforeCondition)
      .replace(CONSTRAINTS, (where) => (/,[ \t]*\r?\n/.test(where) ? blankText(where) : where))
      .replace(ALIAS_CONSTRAINTS, blankSecond)
      .replace(ASSOCIATED_CONSTRAINTS, blankSecond)
      .replace(BRACKET_CONDITION, blankSecond)
      .replace(LIST_CONDITION, '$1,    ');
  if (/fix [-+*/]?= /.test(masked)) masked = masked.replace(MODIFIER_NAME, '$1$2_');
  if (masked.includes('\\.')) masked = masked.replace(/\\\.(?=\[)/g, '  ').replace(/\\\.!/g, '\\.a');
  if (masked.includes('`')) masked = masked.replace(/`[^`\n]+`/g, (name) => name.replace(/[^\w`]/g, '_'));
  return masked
    .replace(/(?<=\w)\$(?=\w)/g, '_')
    .replace(/let (?<=[<,]\s{0,40}let )(?=\w+: Int\b)/g, blankAll)
    .replace(REGEX, blankRegex)
    .replace(PREFIX_SLASH, ' ')
    .replace(UNIT_PARAMETER, '__')
    .replace(UNIT_ALIAS, '$1__')
    .replace(UNITS_IN_CLOSURE, (_units, before: string, units: string) => before + '_'.repeat(units.length))
    .replace(UNNAMED_VALUE, '$1a')
    .replace(UNIT_IN_CLOSURE, '__')
    .replace(BAR_LINE, '$1+')
    .replace(/(?<=[:,(=] ?|return )\(\)(?=[,)\n])/g, '[]')
    .replace(EMPTY_PATTERN, '  ')
    .replace(/\?\?(?<=\bas [\w.]{1,100}\?\?)(?=[,)\s])/g, '? ')
    .replace(/; fallthrough\b(?<= ; fallthrough)/g, blankAll)
    .replace(UNIT, (_unit, before: string, after: string | undefined) => `${before}${after ? '_ ' : '0 '}`)
    .replace(RANGE_CASE, (_range, before: string) => `${before}${before.endsWith(' ') ? '   ' : ',  '}`)
    .replace(GENERIC_CLOSURE, blankAll)
    .replace(FUNCTION_TYPE_ITSELF, (type) => '_'.repeat(type.length))
    .replace(/@convention\(\w+\)|^[ \t]*@Sendable(?= func\b)/gm, blankAll)
    .replace(/(?<=^[ \t]{0,200})yield(?=\(\))/gm, 'yiel_')
    .replace(BLANKED, blankAll);
}

/** A plain string of the same length; line breaks stay. */
function blankRaw(raw: string): string {
  const quote = raw.includes('"""') && raw.includes('\n') ? '"""' : '"';
  const inner = raw.slice(1 + quote.length, raw.length - quote.length - 1).replace(/[^\r\n]/g, ' ');
  return ` ${quote}${inner}${quote} `;
}

function blankAll(word: string): string {
  return ' '.repeat(word.length);
}

/** The grammar accepts no condition on a line of its own: the colon is moved before it, in the place of a space. */
function endBeforeCondition(_match: string, word: string, value: string, line: string, condition: string): string {
  return `${word}${value}:${line}${blankAll(condition)}`;
}

function blankSecond(_match: string, before: string, blanked: string): string {
  return before + blankText(blanked);
}

/** Replaces text by spaces; line breaks stay. */
function blankText(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

function blankRegex(literal: string): string {
  return `"${' '.repeat(literal.length - 2)}"`;
}

interface Branch {
  readonly start: number;
  braces: number;
}

function maskDirectives(text: string): string {
  const lines = text.split('\n');
  const open: { branches: Branch[] }[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const word = DIRECTIVE.exec(line)?.[1];
    if (word) {
      const top = open[open.length - 1];
      if (word === 'if') open.push({ branches: [{ start: i + 1, braces: 0 }] });
      else if (word === 'else' || word === 'elseif') top?.branches.push({ start: i + 1, braces: 0 });
      else if (word === 'endif' && top) {
        open.pop();
        const [first, second] = top.branches;
        if (first!.braces !== 0 && second) for (let k = second.start; k < i; k++) lines[k] = blank(lines[k]!);
      }
      lines[i] = blank(line);
    } else if (open.length > 0) {
      const net = braces(line);
      if (net !== 0) for (const block of open) block.branches[block.branches.length - 1]!.braces += net;
    }
  }
  return lines.join('\n');
}

function blank(line: string): string {
  return line.replace(/[^\r]/g, ' ');
}

function braces(line: string): number {
  let net = 0;
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code === 123) net++;
    else if (code === 125) net--;
  }
  return net;
}
