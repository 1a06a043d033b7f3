/**
 * Reads package manifests: the name of a package, the language version that it requires, and whether it only lists
 * other packages. One row per ecosystem.
 */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { textInRepository } from '../../model/runtime/repository-file.ts';

export interface Manifest {
  /** Null if the manifest declares no name, or the format has none. */
  readonly name: string | null;
  /** "go 1.22", "node >=20", "rust 1.75"; '' if none is declared. */
  readonly version: string;
  /** The manifest only lists other packages (a Cargo workspace, a Maven aggregator). */
  readonly isWorkspace: boolean;
}

interface ManifestKind {
  readonly file: RegExp;
  readonly read: (text: string, fileName: string) => Manifest;
}

/** The text of the first group that matched. */
const find = (text: string, pattern: RegExp): string | null =>
  pattern
    .exec(text)
    ?.slice(1)
    .find((group) => group !== undefined)
    ?.trim() ?? null;
const version = (label: string, value: string | null): string => (value ? `${label} ${value}` : '');
const manifest = (name: string | null, languageVersion = '', isWorkspace = false): Manifest => ({
  name: name || null,
  version: languageVersion,
  isWorkspace,
});

/** If a folder has several manifests, the first row of this table that has a name decides. */
const KINDS: readonly ManifestKind[] = [
  {
    file: /^go\.mod$/,
    read: (text) => manifest(find(text, /^module\s+"?([^\s"]+)/m), version('go', find(text, /^go\s+([\d.]\S*)/m))),
  },
  { file: /^Cargo\.toml$/, read: readCargo },
  {
    file: /^Package\.swift$/,
    read: (text) =>
      manifest(
        find(text, /\bPackage\s*\(\s*name:\s*"([^"]+)"/),
        version('swift', find(text, /swift-tools-version:\s*([\d.]+)/)),
      ),
  },
  { file: /^package\.json$/, read: readPackageJson },
  { file: /^pyproject\.toml$/, read: readPyproject },
  {
    file: /^setup\.cfg$/,
    read: (text) =>
      manifest(
        find(sectionOf(text, 'metadata'), /^name\s*=\s*(\S+)/m),
        version('python', find(sectionOf(text, 'options'), /^python_requires\s*=\s*(.+)$/m)),
      ),
  },
  {
    file: /^setup\.py$/,
    read: (text) =>
      manifest(
        find(text, /\bname\s*=\s*["']([^"']+)["']/),
        version('python', find(text, /\bpython_requires\s*=\s*["']([^"']+)["']/)),
      ),
  },
  { file: /^pom\.xml$/, read: readPom },
  {
    file: /^settings\.gradle(?:\.kts)?$/,
    read: (text) => manifest(find(text, /rootProject\.name\s*=\s*["']([^"']+)["']/), '', true),
  },
  {
    file: /^build\.gradle(?:\.kts)?$/,
    read: (text) =>
      manifest(
        null,
        version(
          'java',
          find(text, /jvmToolchain\s*\(\s*(\d+)|JavaVersion\.VERSION_([\d_]+)|sourceCompatibility\s*=\s*["']?([\d.]+)/),
        ),
      ),
  },
  {
    file: /^build\.sbt$/,
    read: (text) =>
      manifest(
        find(text, /^(?:ThisBuild \/ )?name\s*:=\s*"([^"]+)"/m),
        version('scala', find(text, /scalaVersion\s*:=\s*"([^"]+)"/)),
      ),
  },
  {
    file: /\.(?:cs|fs|vb)proj$/,
    read: (text, fileName) =>
      manifest(
        find(text, /<(?:PackageId|AssemblyName)>([^<$]+)</) ?? fileName.replace(/\.\w+$/, ''),
        version('dotnet', find(text, /<TargetFrameworks?>([^<]+)</)),
      ),
  },
  {
    file: /^composer\.json$/,
    read: (text) => {
      const json = parseJson(text);
      return manifest(textAt(json, 'name'), version('php', textAt(json, 'require', 'php')));
    },
  },
  {
    file: /\.gemspec$/,
    read: (text, fileName) =>
      manifest(
        find(text, /\.name\s*=\s*["']([^"']+)["']/) ?? fileName.replace(/\.gemspec$/, ''),
        version('ruby', find(text, /required_ruby_version\s*=\s*["']([^"']+)["']/)),
      ),
  },
  {
    file: /^mix\.exs$/,
    read: (text) =>
      manifest(
        find(text, /\bapp:\s*:(\w+)/),
        version('elixir', find(text, /\belixir:\s*"([^"]+)"/)),
        /\bapps_path:/.test(text),
      ),
  },
  {
    file: /^pubspec\.yaml$/,
    read: (text) =>
      manifest(find(text, /^name:\s*(\S+)/m), version('dart', find(text, /^[ \t]+sdk:\s*["']?([^"'\n]+)/m))),
  },
  {
    file: /\.cabal$/,
    read: (text) => manifest(find(text, /^name:\s*(\S+)/im), version('cabal', find(text, /^cabal-version:\s*(\S+)/im))),
  },
  {
    file: /^build\.zig\.zon$/,
    read: (text) =>
      manifest(
        find(text, /\.name\s*=\s*[.@"]*([\w-]+)/),
        version('zig', find(text, /\.minimum_zig_version\s*=\s*"([^"]+)"/)),
      ),
  },
  { file: /\.rockspec$/, read: (text) => manifest(find(text, /^package\s*=\s*["']([^"']+)["']/m), '') },
  {
    file: /^dune-project$/,
    read: (text) =>
      manifest(find(text, /\(name\s+([\w.-]+)\)/), version('dune', find(text, /\(lang\s+dune\s+([\d.]+)\)/))),
  },
];

const MAX_BYTES = 512 * 1024;

/** All file names in one pattern, which rules out most names with one test. */
const ANY = new RegExp(KINDS.map(({ file }) => file.source).join('|'), 'i');

export function isManifest(fileName: string): boolean {
  return ANY.test(fileName) && manifestRank(fileName) >= 0;
}

/** The row of a file name in the table, where 0 takes precedence over all others; -1 if it is no manifest. */
export function manifestRank(fileName: string): number {
  if (!ANY.test(fileName)) return -1;
  return KINDS.findIndex((kind) => kind.file.test(fileName));
}

export function parseManifest(fileName: string, text: string): Manifest | null {
  if (text.length > MAX_BYTES) return null;
  return KINDS.find((kind) => kind.file.test(fileName))?.read(text, fileName) ?? null;
}

/**
 * The name and the language version of the project at `root`, each from the first manifest that has it. Without any,
 * the folder's name.
 */
export function projectManifest(root: string): { readonly moduleName: string; readonly languageVersion: string } {
  const files = listNames(root)
    .map((name) => ({ name, rank: manifestRank(name) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const found = files
    .map(({ name }) => parseManifest(name, textInRepository(root, name, MAX_BYTES, 'inside') ?? ''))
    .filter((entry) => entry !== null);
  const naming = found.find(({ name }) => name !== null);
  return {
    moduleName: naming?.name ?? basename(root),
    languageVersion: (naming?.version || found.find((entry) => entry.version !== '')?.version) ?? '',
  };
}

function readCargo(text: string): Manifest {
  const own = sectionOf(text, 'package');
  const shared = sectionOf(text, 'workspace.package');
  const value = (key: string) => {
    const pattern = new RegExp(`^${key}\\s*=\\s*"([^"]+)"`, 'm');
    return find(own, pattern) ?? find(shared, pattern);
  };
  const edition = value('edition');
  return manifest(
    find(own, /^name\s*=\s*"([^"]+)"/m),
    version('rust', value('rust-version') ?? (edition && `edition ${edition}`)),
    own === '',
  );
}

function readPackageJson(text: string): Manifest {
  const json = parseJson(text);
  const workspaces = json?.workspaces !== undefined;
  return manifest(textAt(json, 'name'), version('node', textAt(json, 'engines', 'node')), workspaces);
}

function readPyproject(text: string): Manifest {
  const project = sectionOf(text, 'project');
  const poetry = sectionOf(text, 'tool.poetry');
  const name = /^name\s*=\s*["']([^"']+)["']/m;
  return manifest(
    find(project, name) ?? find(poetry, name),
    version(
      'python',
      find(project, /^requires-python\s*=\s*["']([^"']+)["']/m) ??
        find(sectionOf(text, 'tool.poetry.dependencies'), /^python\s*=\s*["']([^"']+)["']/m),
    ),
    project === '' && poetry === '' && sectionOf(text, 'tool.uv.workspace') !== '',
  );
}

/** Parts of a pom.xml whose elements do not describe the project itself: comments, parents, dependencies. */
const FOREIGN_PARTS: readonly (readonly [open: string, close: string])[] = [
  ['<!--', '-->'],
  ...['parent', 'dependencies', 'build', 'dependencyManagement', 'profiles'].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
];

function withoutParts(text: string, [open, close]: readonly [string, string]): string {
  let own = '';
  let at = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start);
    if (end < 0) break;
    own += text.slice(at, start);
    at = end + close.length;
  }
  return own + text.slice(at);
}

function readPom(text: string): Manifest {
  const own = FOREIGN_PARTS.reduce(withoutParts, text);
  return manifest(
    find(own, /<artifactId>([^<]+)</),
    version('java', find(own, /<(?:maven\.compiler\.(?:release|source|target)|java\.version|release)>([^<$]+)</)),
    /<packaging>\s*pom\s*</.test(own),
  );
}

/** The body of a `[section]` of a TOML or INI file; '' without that section, a newline for an empty one. */
function sectionOf(text: string, name: string): string {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.split('#', 1)[0]!.trim() === `[${name}]`);
  if (start < 0) return '';
  const end = lines.findIndex((line, i) => i > start && /^\s*\[/.test(line));
  return `\n${lines.slice(start + 1, end < 0 ? undefined : end).join('\n')}`;
}

function parseJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function textAt(json: Record<string, unknown> | null, ...keys: readonly string[]): string | null {
  let value: unknown = json;
  for (const key of keys)
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : null;
  return typeof value === 'string' ? value : null;
}

function listNames(root: string): string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}
