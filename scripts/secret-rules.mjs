// Converts the rules of gitleaks (MIT) to data: `node scripts/secret-rules.mjs CLONE-OF-GITLEAKS` writes
// src/model/secrets/gitleaks.json. Go's regular expressions become JavaScript's: case-insensitive letters are written
// as classes, because JavaScript has no `(?i)` inside a pattern before Node 23.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Rules that are left out, and why. */
const LEFT_OUT = {
  'private-key': 'the whole file is left out, see src/walk/rules/private-keys.ts',
  'generic-api-key': 'any long value behind a word such as key: too often no secret',
  'curl-auth-header': 'spans lines',
  'curl-auth-user': 'spans lines',
  'jwt-base64': 'a token inside of a token',
};

/**
 * gitleaks checks whether a file contains any of these keywords; its own are so short that every file contains them.
 */
const KEYWORDS = {
  jwt: ['eyj'],
  'twilio-api-key': [...'0123456789abcdef'].map((digit) => `sk${digit}`),
  'vault-service-token': ['hvs.'],
};

/** Parts of a pattern that are left out, and why. */
const PARTS_LEFT_OUT = {
  // `s.` and 24 letters or digits, the format before 2022: matches any method call on a variable `s`.
  'vault-service-token': String.raw`|s\.(?i:[a-z0-9]{24})`,
  // Matches any 40 hexadecimal digits in a file that names the product.
  'sourcegraph-access-token': '|[a-fA-F0-9]{40}',
};

/** The part before the keyword only makes a match longer, never another secret. */
const LEAD = /^(?:\(\?i\))?(?:\[\\w\.-\]\{0,50\}\?)?(\(\?i:)?(?:\[\\w\.-\]\{0,50\}\?)/;

function* rulesOf(toml) {
  for (const block of toml.split(/^\[\[rules\]\]$/m).slice(1)) {
    const [own, ...allowlists] = block.split(/^ *\[\[rules\.allowlists\]\]$/m);
    const id = /^id = "([^"]+)"$/m.exec(own)[1];
    const regex = /^regex = '''(.*)'''$/m.exec(own)?.[1];
    // Rules about paths are left out: a text may be a piece of a file.
    if (id in LEFT_OUT || /^path = /m.test(own)) continue;
    const allow = allowlists
      .filter((list) => !/regexTarget = "(?:match|line)"|paths = /.test(list))
      .flatMap((list) => [...list.matchAll(/'''(.*)'''/g)].map((match) => toJavaScript(match[1])));
    const entropy = Number(/^entropy = ([\d.]+)$/m.exec(own)?.[1] ?? 0);
    const keywords = KEYWORDS[id] ?? textsOf(/^keywords = \[([^\]]*)\]$/m.exec(own)[1]);
    const part = PARTS_LEFT_OUT[id] ?? '';
    if (!regex.includes(part)) throw new Error(`the pattern of ${id} has changed: look at PARTS_LEFT_OUT`);
    const whole = regex.replace(part, '');
    const lead = LEAD.exec(whole);
    const stripped = lead ? `(?i)${lead[1] ? '(?:' : ''}${whole.slice(lead[0].length)}` : whole;
    yield {
      id,
      pattern: toJavaScript(stripped),
      keywords,
      ...(entropy && { entropy }),
      ...(allow.length && { allow }),
    };
  }
}

function textsOf(list) {
  return [...list.matchAll(/"([^"]*)"/g)].map((match) => match[1]);
}

const POSIX = { alnum: 'a-zA-Z0-9', alpha: 'a-zA-Z', digit: '0-9', xdigit: '0-9a-fA-F', word: '\\w' };

/** Throws for syntax that this converter does not know. */
function toJavaScript(go) {
  let made = '';
  /** Whether letters of either case match, for each open group. */
  const ignoring = [false];
  for (let i = 0; i < go.length; ) {
    const flags = /^\(\?(-?)i([:)])/.exec(go.slice(i));
    if (flags) {
      if (flags[2] === ':') {
        ignoring.push(flags[1] === '');
        made += '(?:';
      } else ignoring[ignoring.length - 1] = flags[1] === '';
      i += flags[0].length;
      continue;
    }
    const [piece, length] = pieceAt(go, i, ignoring.at(-1));
    if (piece.startsWith('(')) ignoring.push(ignoring.at(-1));
    if (piece === ')') ignoring.pop();
    made += piece;
    i += length;
  }
  // Throws if JavaScript rejects the pattern.
  new RegExp(made);
  return made;
}

function pieceAt(go, i, ignoresCase) {
  const rest = go.slice(i);
  if (rest.startsWith('(?P<')) return ['(', rest.indexOf('>') + 1];
  if (rest.startsWith('(?:')) return ['(?:', 3];
  if (rest.startsWith('(?')) throw new Error(`unknown group in ${go}`);
  if (rest.startsWith('[')) return classAt(rest, ignoresCase);
  if (rest.startsWith('\\z')) return ['$', 2];
  const escaped = /^\\x[0-9a-f]{2}|^\\./i.exec(rest);
  if (escaped) return [escaped[0], escaped[0].length];
  const counted = /^\{\d+(?:,\d*)?\}/.exec(rest);
  if (counted) return [counted[0], counted[0].length];
  const char = rest[0];
  if (char === '{' || char === '}') return [`\\${char}`, 1];
  const isLetter = /[a-z]/i.test(char);
  return [ignoresCase && isLetter ? `[${char.toLowerCase()}${char.toUpperCase()}]` : char, 1];
}

function classAt(rest, ignoresCase) {
  let made = '[';
  let i = 1;
  if (rest[i] === '^') made += rest[i++];
  while (rest[i] !== ']' || i === 1) {
    const named = /^\[:(\w+):\]/.exec(rest.slice(i));
    const escaped = /^\\x[0-9a-f]{2}|^\\./i.exec(rest.slice(i));
    const range = /^([a-z])-([a-z])|^([a-z])/i.exec(rest.slice(i));
    const piece = named?.[0] ?? escaped?.[0] ?? range?.[0] ?? rest[i];
    if (named) made += POSIX[named[1]];
    else if (range && ignoresCase) made += caseless(made, piece);
    else made += piece;
    i += piece.length;
  }
  return [`${made}]`, i + 1];
}

/** Both cases of a letter or a range, unless the class has them already. */
function caseless(made, piece) {
  return [...new Set([piece.toLowerCase(), piece.toUpperCase()])].filter((each) => !made.includes(each)).join('');
}

const clone = process.argv[2];
if (clone === undefined) throw new Error('pass a clone of gitleaks');
const show = (path) => execFileSync('git', ['-C', clone, 'show', `HEAD:${path}`], { encoding: 'utf8' });
const commit = execFileSync('git', ['-C', clone, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const rules = [...rulesOf(show('config/gitleaks.toml'))];
const data = { source: 'gitleaks, config/gitleaks.toml', commit, licence: show('LICENSE').trim().split('\n'), rules };
const file = fileURLToPath(new URL('../src/model/secrets/gitleaks.json', import.meta.url));
writeFileSync(file, JSON.stringify(data));
execFileSync('npx', ['biome', 'format', '--write', file], { stdio: 'inherit' });
console.log(`${rules.length} rules`);
