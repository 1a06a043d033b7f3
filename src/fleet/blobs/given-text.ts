/**
 * Texts that may be given to a fleet. The index on a laptop asks before it sends one, and the node before it takes one:
 * a text goes by its git id alone, so no rule may depend on the path that it had.
 */
import { detectLanguage, isAmbiguous, languageById, PLAIN_TEXT } from '../../languages/index.ts';
import { redactText } from '../../model/secrets/redact.ts';
import type { ContentKey } from '../../store/store.ts';
import { blobId, inspectContent } from '../../walk/index.ts';

export interface GivenText extends ContentKey {
  readonly text: string;
}

/** Of the texts of a request together. */
export const GIVEN_BYTES = 1 << 20;
export const GIVEN_AT_ONCE = 50;

/** Names under which the rules for secrets look closer. */
const STRICT_NAMES = ['.npmrc', 'auth.json'];

/** Whether the text is the content of that id, byte for byte: one in which a token was marked is not. */
export function isOriginal({ blobId: id, text }: GivenText): boolean {
  return blobId(Buffer.from(text)) === id;
}

/**
 * A file name by which the text is derived in its language. Null for a text that no worker would index under any path
 * (generated, minified, binary), or that holds a secret; and for a language that no name tells.
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
