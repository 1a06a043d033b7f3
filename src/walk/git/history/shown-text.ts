/**
 * Tells whether a patch contains a text outside of secrets. `git log -S` finds a text in tokens, private keys and files
 * of credentials, too, and such a hit would confirm a secret that a client guessed.
 */
import { redactText } from '../../../model/secrets/redact.ts';
import { holdsPrivateKey } from '../../rules/private-keys.ts';
import { isSecretPath } from '../../rules/secrets.ts';

/** `patch` has no context lines and the prefixes `a/` and `b/`. */
export function showsText(patch: string, text: string): boolean {
  return patch.split(/^diff --git /m).some((file) => fileShows(file, text));
}

function fileShows(file: string, text: string): boolean {
  if (!file.includes(text)) return false;
  const [head, ...hunks] = file.split(/^@@ .*$/m);
  const paths = [...head!.matchAll(/^(?:---|\+\+\+) "?[ab]\/(.*?)"?\t?$/gm)].map(([, path]) => path!);
  if (paths.some(isSecretPath)) return false;
  const changed = hunks.map((hunk) => hunk.replace(/^[-+ ]/gm, ''));
  if (holdsPrivateKey(changed.join('\n'))) return false;
  return changed.some((lines) => redactText(lines).includes(text));
}
