/**
 * Links to the files of an answer, for people in clients that show or open them. The model reads the text and needs no
 * links.
 */
import { realpathSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Engine, WorkspaceMember } from '../../engine/engine.ts';
import { parseScope, splitScopedPath } from '../../model/records/scope.ts';
import { isWithin, leadsOut } from '../../model/text/is-within.ts';
import type { ResourceLinkBlock } from './text-content.ts';

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.c': 'text/x-c',
  '.cc': 'text/x-c++',
  '.cpp': 'text/x-c++',
  '.cs': 'text/x-csharp',
  '.css': 'text/css',
  '.dart': 'text/x-dart',
  '.ex': 'text/x-elixir',
  '.exs': 'text/x-elixir',
  '.go': 'text/x-go',
  '.h': 'text/x-c',
  '.hpp': 'text/x-c++',
  '.hs': 'text/x-haskell',
  '.html': 'text/html',
  '.java': 'text/x-java',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.jsx': 'text/javascript',
  '.kt': 'text/x-kotlin',
  '.lua': 'text/x-lua',
  '.md': 'text/markdown',
  '.mdx': 'text/markdown',
  '.mjs': 'text/javascript',
  '.php': 'text/x-php',
  '.proto': 'text/x-protobuf',
  '.py': 'text/x-python',
  '.rb': 'text/x-ruby',
  '.rs': 'text/x-rust',
  '.rst': 'text/x-rst',
  '.scala': 'text/x-scala',
  '.sh': 'text/x-shellscript',
  '.sql': 'application/sql',
  '.swift': 'text/x-swift',
  '.toml': 'application/toml',
  '.ts': 'text/x-typescript',
  '.tsx': 'text/x-typescript',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zig': 'text/x-zig',
};

export function mimeTypeOf(path: string): string {
  return MIME_TYPES[extname(path).toLowerCase()] ?? 'text/plain';
}

export interface LinkedPlace {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly title: string;
  /** From 0 to 1; a file's link gets its best score. */
  readonly score: number;
}

/**
 * Returns one link per file, in the order of first mention. Files that are missing or outside of the project get none:
 * a recorded discovery may name any path.
 */
export function linkFiles(roots: LinkRoots, places: readonly LinkedPlace[]): readonly ResourceLinkBlock[] {
  const byPath = new Map<string, LinkedPlace>();
  for (const place of places) if (!byPath.has(place.path)) byPath.set(place.path, place);
  const linked = [...byPath.values()].flatMap((place) => {
    const uri = uriOf(roots, place.path);
    return uri === null ? [] : [{ place, uri }];
  });
  return linked.map(({ place, uri }) => ({
    type: 'resource_link',
    uri,
    name: place.path,
    description:
      place.startLine === undefined ? place.title : `${place.title}, lines ${place.startLine}-${place.endLine}`,
    mimeType: mimeTypeOf(place.path),
    annotations: { audience: ['user'], priority: Math.round(Math.min(1, Math.max(0, place.score)) * 100) / 100 },
  }));
}

/** The base of paths: a folder, the repositories of a workspace, or resources that the server reads. */
export type LinkRoots = string | readonly WorkspaceMember[] | { readonly resources: string };

export async function linkRoots(engine: Engine, path: string): Promise<LinkRoots> {
  if (!engine.hasLocalFiles) return { resources: await resourcesOf(engine, path) };
  return parseScope(path) ? engine.members(path) : engine.root(path);
}

/** Paths in an answer about one repository lack its name; a resource URI begins with it. */
async function resourcesOf(engine: Engine, path: string): Promise<string> {
  const [only, ...others] = await engine.members(path);
  const isOne = only !== undefined && others.length === 0 && only.root === (await engine.root(path));
  return isOne ? `sextant://file/${encodePath(only.name)}/` : 'sextant://file/';
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function uriOf(roots: LinkRoots, path: string): string | null {
  if (typeof roots === 'object' && 'resources' in roots)
    return leadsOut(path) ? null : roots.resources + encodePath(path);
  const file = fileOf(roots, path);
  return file === null ? null : pathToFileURL(file).href;
}

function fileOf(roots: string | readonly WorkspaceMember[], path: string): string | null {
  if (typeof roots === 'string') return isInside(roots, path) ? join(roots, path) : null;
  const { repo, path: own } = splitScopedPath(path);
  const member = roots.find(({ name }) => name === repo);
  return member ? fileOf(member.root, own) : null;
}

function isInside(root: string, path: string): boolean {
  try {
    const real = realpathSync.native(join(root, path));
    return real !== root && isWithin(real, root);
  } catch {
    return false;
  }
}
