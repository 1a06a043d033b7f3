/** Secrets and personal data in a text that somebody wants to keep. Refused with the kind, never with the value. */
const RULES: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/ },
  {
    what: 'an access token',
    // A digit somewhere: `sk_` alone begins many a function's name.
    pattern:
      /\b(?:(?:gh[opusr]|github_pat|glpat|xox[abprs]|sk|rk|pk_live)[-_](?=[-\w]*\d)[-\w]{16,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[-\w]{30,})/,
  },
  { what: 'a JSON web token', pattern: /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/ },
  {
    what: 'a password',
    pattern: /\b(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?token)\b\s*[:=]\s*["']?[^\s"']{8,}/i,
  },
  { what: 'a credential in an address', pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]{3,}@/i },
  { what: 'an e-mail address', pattern: /\b[\w.+-]+@[\w-]+\.[A-Za-z]{2,}\b(?!:)/ },
  { what: 'a payment card number', pattern: /\b(?:\d[ -]?){15}\d\b/ },
  { what: 'a phone number', pattern: /(?:^|\s)\+\d{1,3}[\s.-]?\(?\d{2,4}\)?[\s.-]?\d{3}[\s.-]?\d{3,4}\b/ },
];

/** What kind of secret or personal data the text seems to hold, null for none. */
export function sensitiveKind(text: string): string | null {
  return RULES.find(({ pattern }) => pattern.test(text))?.what ?? null;
}
