/**
 * The extractor version: a hash of the sources that decide what is derived from a content. Contents of another version
 * are derived again. The build hashes the sources without comments, together with the grammars. When the program runs
 * from its sources (tests, measurements), it hashes them as they are.
 */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pattern } from '../../model/text/pattern.ts';

/** Defined by the build. */
declare const EXTRACTOR_HASH: string | undefined;

const ROOMS = ['languages', 'chunk', 'indexing/deriving', 'model/secrets'];
const FILES = [
  'model/text/pattern.ts',
  'model/text/terms.ts',
  'walk/rules/inspect-content.ts',
  'walk/rules/private-keys.ts',
];
/** Tests, their tools, and rules that only the graph uses: they do not change what an index holds. */
const ASIDE = pattern()`
  \.(?:test|fixture)\.ts$|\/fixture\/|\/runtime\/(?:testing|imports|reading)\/
  |\/(?:names|builtin-methods|imports|declarations|exports|packages|method-shape|name-rules|string-rules|test-rules
  |test-runner|extractor-version)\.ts$
`;

/** The files below `src` that decide what is derived, sorted, with `/` between folders. */
export function extractorSources(src: string): string[] {
  const inRooms = ROOMS.flatMap((room) =>
    readdirSync(join(src, room), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${room}/${path.replaceAll('\\', '/')}`,
    ),
  );
  return [...inRooms, ...FILES].filter((path) => /\.(?:ts|scm|json)$/.test(path) && !ASIDE.test(`/${path}`)).sort();
}

export function hashSources(sources: Iterable<readonly [path: string, text: string]>): string {
  const hash = createHash('sha256');
  for (const [path, text] of sources) hash.update(`${path}\0${text}\0`);
  return hash.digest('hex').slice(0, 16);
}

let fromSources: string | undefined;

export function extractorVersion(): string {
  if (typeof EXTRACTOR_HASH === 'string') return EXTRACTOR_HASH;
  fromSources ??= hashOfFiles(join(dirname(fileURLToPath(import.meta.url)), '..', '..'));
  return fromSources;
}

function hashOfFiles(src: string): string {
  return hashSources(extractorSources(src).map((path) => [path, readFileSync(join(src, path), 'utf8')] as const));
}
