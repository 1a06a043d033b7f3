/**
 * What the Swift grammar cannot read is blanked before parsing, at equal length: compiler directives (half of all files in Alamofire and vapor
 * had error nodes for `#if`, and error recovery made them several times slower), `#available`, the `#` of macros and literals, and a few words
 * and expressions that it takes for something else.
 * Both branches of an `#if` stay, so that both are found; where a branch leaves braces open, only the first one stays.
 */
const DIRECTIVE = /^[ \t]*#(if|elseif|else|endif|warning|error|sourceLocation)\b/;

const BLANKED =
  /\b(?:await|unsafe|consume|sending) (?=[@\w.([])|\bnonisolated\((?:unsafe|nonsending)\)|(?<=\bthrows)\([\w.]+\)/g;

/** Raw strings, also over lines, and extended regular expressions. */
const RAW = /#+"""[\s\S]*?"""#+|#+"[^\n]*?"#+|#\/[^\n]*?\/#/g;

/** `= Result<String, any Error> { … }`: taken for comparisons as well, and the two readings live on for the rest of the function. */
const GENERIC_CLOSURE =
  /(?<=(?:[=(,]|\breturn|\btry[?!]?) ?[A-Z][\w.]*)<[\w ,.:?&[\]]+(?:<[\w ,.:?&[\]]+>[\w ,.:?&[\]]*)*>(?= ?\{)/g;

export function maskSwift(text: string): string {
  let masked = text;
  if (text.includes('#')) {
    if (/^[ \t]*#(?:if|warning|error|sourceLocation)\b/m.test(text)) masked = maskDirectives(text);
    masked = masked
      .replace(RAW, blankRaw)
      .replace(/#(?:un)?available\([^()\n]*\)/g, (word) => 'true'.padEnd(word.length))
      .replace(/#(?=[A-Za-z_])/g, ' ');
  }
  return masked
    .replace(/(?<=[:,(=] ?|return )\(\)(?=[,)\n])/g, '[]')
    .replace(GENERIC_CLOSURE, (word) => ' '.repeat(word.length))
    .replace(BLANKED, (word) => ' '.repeat(word.length));
}

/** A plain string of the same length; line breaks stay. */
function blankRaw(raw: string): string {
  const quote = raw.includes('"""') && raw.includes('\n') ? '"""' : '"';
  const inner = raw.slice(1 + quote.length, raw.length - quote.length - 1).replace(/[^\r\n]/g, ' ');
  return ` ${quote}${inner}${quote} `;
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
