/** Finds secrets and personal data in texts before they are stored. Results name the kind, never the value. */

import type { Discovery } from '../model/records/discovery.ts';
import { pattern } from '../model/text/pattern.ts';

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
  /** A fast test that every matching text passes: mining checks whole histories. */
  readonly hint: RegExp;
  /** A further test of the match. */
  readonly holds?: (match: string) => boolean;
}

/** A placeholder for a secret, or an expression that reads one. */
const NOT_A_SECRET = pattern('i')`
  ^(?:<.*>|\$\{?\w+\}?|\{\{.*|process\.env\b.*|os\.environ\b.*|env[.[(].*|[\w.]+\(.*
  |[a-z_]\w*(?:\.[a-z_]\w*)+[,;.)]?|x{4,}.*|\*{3,}.*|\.{3}.*|your[-_].*|example\b.*)$
`;

const RULES: readonly Rule[] = [
  {
    what: 'a private key',
    hint: /-----BEGIN|PuTTY/,
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\bPuTTY-User-Key-File-\d/,
  },
  {
    what: 'an access token',
    hint: /[-_.][-\w.]{16}|AKIA|ASIA|AIza/,
    // A digit is required: many function names begin with `sk_`.
    pattern: pattern()`
      \b(?:(?:gh[opusr]|github_pat|glpat|xox[abeprs]|xapp|GOCSPX|hvs|dckr_pat|sk|rk|pk_live|sk_live|rk_live|npm|hf
      |dop_v1|shpat|SG|pypi)[-_.](?=[-\w.]{0,200}\d)[-\w.]{16,}|(?:AKIA|ASIA)[A-Z0-9]{16}
      |AIza[-\w]{30,}|ya29\.[-\w]{20,})
    `,
  },
  { what: 'an access token', hint: /:AA/, pattern: /\b\d{8,10}:AA[-\w]{30,}/ },
  {
    what: 'a password',
    hint: /basic/i,
    pattern: /\bauthorization\b["']?\s*[:=]\s*["']?basic\s+[\w+/]{8,}/i,
  },
  { what: 'a JSON web token', hint: /eyJ/, pattern: /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/ },
  { what: 'an access token', hint: /bearer/i, pattern: /\bbearer\s+(?=[-\w.~+/]*\d)[-\w.~+/]{20,}=*/i },
  {
    what: 'a webhook address',
    hint: /hooks\.slack|webhooks/i,
    pattern: /hooks\.slack\.com\/services\/\w+\/\w+\/\w+|discord(?:app)?\.com\/api\/webhooks\/\d+\/\w+/i,
  },
  {
    what: 'a password',
    hint: /pass|pwd|secret|key|token/i,
    // Matches the end of a longer name too: DB_PASSWORD, AccountKey.
    pattern: pattern('i')`
      \b[\w-]{0,60}?(?:password|passwort|passwd|passphrase|pwd|secret
      |(?:api|access|account|secret|private|encryption|signing)[_-]?key|(?:access|auth|bearer|refresh|api)[_-]?token)
      \b["']?\s*(?::=|[:=])\s*["'\x60]?([^\s"'\x60]{6,})
    `,
    // A name, a placeholder or a call reads a secret; it is not the secret.
    holds: (match) => {
      const value = /[:=]\s*["'`]?([^\s"'`]+)$/.exec(match)?.[1] ?? '';
      // A short value must contain a digit; "password: mandatory" is a sentence.
      if ((value.length < 8 && !/\d/.test(value)) || /: [a-z]+[,.;)]?$/i.test(match)) return false;
      return !NOT_A_SECRET.test(value);
    },
  },
  {
    what: 'a password',
    hint: /passw/i,
    // In a sentence, the value must contain lower-case letters, capitals and digits, as no word does.
    pattern: /\bpassw(?:or[dt])\s+(?:is|was|ist|lautet)\s*:?\s+["'`]?(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])\S{8,}/,
  },
  {
    what: 'a credential in an address',
    hint: /:\/\/[^\s/]*@/,
    pattern: /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]*:[^\s/@]{3,}@/i,
  },
  {
    what: 'an e-mail address',
    hint: /@/,
    pattern:
      /(?<![\p{L}\p{N}_.+-])[\p{L}\p{N}_.+-]+@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}{2,}(?![\p{L}\p{N}_:])/u,
    holds: isPersonal,
  },
  {
    what: 'a payment card number',
    hint: /\d{4}[ -]?\d{4}/,
    pattern: /\b\d(?:[ -]?\d){12,18}\b/,
    holds: hasCardChecksum,
  },
  {
    what: 'a bank account number',
    hint: /[A-Z]{2}\d{2} ?[A-Z0-9]{4}/,
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/,
    holds: hasIbanChecksum,
  },
  {
    what: 'a phone number',
    hint: /\+\d/,
    pattern: /(?:^|[\s(:])\+\d{1,3}[\s.-]?\(?\d{2,4}\)?[\s.-]?\d{3}[\s.-]?\d{3,4}\b/,
  },
  {
    what: 'a phone number',
    hint: /\(\d{3}\)|\b(?:call|phone|tel|mobile|sms)/i,
    // Without a country code: in North American notation, or after a word for telephone.
    pattern: pattern('i')`
      \(\d{3}\) ?\d{3}-\d{4}\b
      |\b(?:call|phone|tel(?:ephone|efon)?|mobile|sms)\b[^\d\n]{0,24}\b0\d{2,4}[ /-]\d{3}[\d ]{2,8}\d\b
    `,
  },
  {
    what: 'a social security number',
    hint: /\d{3}-\d{2}-\d{4}/,
    pattern: /\b(?:ssn|social security)\b[^\d\n]{0,20}\d{3}-\d{2}-\d{4}\b/i,
  },
];

/** The kind of secret or personal data that the text seems to contain; null for none. */
export function sensitiveKind(text: string): string | null {
  for (const { what, hint, pattern, holds } of RULES) {
    if (!hint.test(text)) continue;
    if (!holds) {
      if (pattern.test(text)) return what;
      continue;
    }
    for (const [match] of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) if (holds(match)) return what;
  }
  return null;
}

/** Checks every field of a discovery: all fields are stored, and a team commits them. */
export function sensitiveIn(discovery: Partial<Discovery>): string | null {
  const { id, content, formerly, module, session, origin, status, supersededBy } = discovery;
  const places = (discovery.evidence ?? []).flatMap(({ path, commit }) => [path, commit]);
  const texts = [
    id,
    content,
    formerly,
    module,
    session,
    origin,
    status,
    supersededBy,
    ...(discovery.contradicts ?? []),
  ];
  return sensitiveKind([...texts, ...places].filter(Boolean).join('\n'));
}

/** False for a no-reply address and for `git@host`. */
function isPersonal(address: string): boolean {
  return !/^(?:git|no-?reply)@/i.test(address);
}

function hasCardChecksum(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  // The first digit of an issuer and different digits: not any long number.
  if (digits.length < 13 || !/^[3-6]/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  [...digits].reverse().forEach((digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  });
  return sum % 10 === 0;
}

function hasIbanChecksum(text: string): boolean {
  const plain = text.replace(/\s/g, '');
  if (plain.length < 15 || plain.length > 34) return false;
  const numeric = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  let rest = 0;
  for (const digit of numeric) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}
