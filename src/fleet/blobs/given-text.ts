/**
 * Rules for texts that a laptop may give to a fleet. The laptop applies them before it sends a text, and the node
 * before it accepts one. A text is identified by its git id alone, so no rule may depend on a path.
 */
import { detectLanguage, isAmbiguous, languageById, PLAIN_TEXT } from '../../languages/index.ts';
import { redactText } from '../../model/secrets/redact.ts';
import type { ContentKey } from '../../store/store.ts';
import { blobId, inspectContent } from '../../walk/index.ts';

export interface GivenText extends ContentKey {
  readonly text: string;
}

/** Maximum bytes of all texts in a request. */
export const GIVEN_BYTES = 1 << 20;
export const GIVEN_AT_ONCE = 50;

/** File names for which the secret rules are stricter. */
const STRICT_NAMES = ['.npmrc', 'auth.json'];

/** Whether the text is the exact content of its id; a text with a redacted token is not. */
export function isOriginal({ blobId: id, text }: GivenText): boolean {
  return blobId(Buffer.from(text)) === id;
}

/**
 * A file name with which the text is derived in its language. Null for a text that no worker would index under any path
 * (generated, minified, binary), that contains a secret, or whose language no file name implies.
 */
export function nameOfGiven({ language, text }: GivenText): string | null {
  const name = nameIn(language);
  if (name === null || redactText(text) !== text) return null;
  const bytes = Buffer.from(text);
  return [name, ...STRICT_NAMES].some((path) => inspectContent(bytes, path)) ? null : name;
}

function nameIn(language: string): string | null {
  const { extensions = [], fileNames = [] } = languageById(language) ?? {};
  const names = [...extensions.map((extension) => `given${extension}`), ...fileNames, 'given.unknown'];
  return names.find((name) => !isAmbiguous(name) && (detectLanguage(name)?.id ?? PLAIN_TEXT) === language) ?? null;
}
