/** Made-up tokens for tests: put together here, so that no file of this repository holds one. */

/** Characters that look random and are the same in every run. */
export function noise(
  length: number,
  alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  seed = 7,
): string {
  let state = seed;
  let made = '';
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    made += alphabet[(state >> 8) % alphabet.length];
  }
  return made;
}

const HEX = '0123456789abcdef';

export const TOKENS = {
  'github-pat': `ghp_${noise(36)}`,
  'github-fine-grained-pat': `github_pat_${noise(82)}`,
  'aws-access-token': `AKIA${noise(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  'gcp-api-key': `AIza${noise(35)}`,
  'slack-bot-token': `xoxb-${noise(12, '123456789')}-${noise(12, '123456789', 3)}${noise(24)}`,
  'stripe-access-token': `sk_live_${noise(24)}`,
  'npm-access-token': `npm_${noise(36)}`,
  'gitlab-pat': `glpat-${noise(20)}`,
  'digitalocean-pat': `dop_v1_${noise(64, HEX)}`,
  'sendgrid-api-token': `SG.${noise(66)}`,
  'twilio-api-key': `SK${noise(32, HEX)}`,
  jwt: `eyJ${noise(30)}.eyJ${noise(40)}.${noise(43)}`,
} as const;
