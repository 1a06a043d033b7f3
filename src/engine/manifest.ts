/** What a project calls itself and which version of its ecosystem it wants, from the manifest at its root. A table: one row an ecosystem. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

interface Ecosystem {
  /** File name at the root; a leading '*' stands for anything. */
  readonly file: string;
  readonly name: RegExp | null;
  /** Word before the version: "go 1.22". */
  readonly label: string;
  readonly version: RegExp;
}

const MAX_BYTES = 256 * 1024;

/** The first manifest that is there names the project. Where a table has sections, the pattern spans from the section's head. */
const ECOSYSTEMS: readonly Ecosystem[] = [
  { file: 'go.mod', name: /^module\s+"?([^\s"]+)/m, label: 'go', version: /^go\s+(\S+)/m },
  {
    file: 'Cargo.toml',
    name: /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms,
    label: 'rust',
    version: /^rust-version\s*=\s*"([^"]+)"/m,
  },
  { file: 'Package.swift', name: /\bname:\s*"([^"]+)"/, label: 'swift', version: /swift-tools-version:\s*([\d.]+)/ },
  {
    file: 'package.json',
    name: /^ {0,4}"name"\s*:\s*"([^"]+)"/m,
    label: 'node',
    version: /"engines"\s*:\s*\{[^}]*"node"\s*:\s*"([^"]+)"/s,
  },
  {
    file: 'pyproject.toml',
    name: /^\[(?:project|tool\.poetry)\][^[]*?^name\s*=\s*["']([^"']+)["']/ms,
    label: 'python',
    version: /^(?:requires-python|python)\s*=\s*["']([^"']+)["']/m,
  },
  { file: 'setup.cfg', name: /^name\s*=\s*(\S+)/m, label: 'python', version: /^python_requires\s*=\s*(\S+)/m },
  {
    file: 'pom.xml',
    name: /<\/parent>.*?<artifactId>([^<]+)<|^(?:(?!<parent>).)*?<artifactId>([^<]+)</s,
    label: 'java',
    version: /<(?:maven\.compiler\.release|maven\.compiler\.source|java\.version)>([^<]+)</,
  },
  { file: 'settings.gradle.kts', name: /rootProject\.name\s*=\s*"([^"]+)"/, label: 'gradle', version: /(?!)/ },
  { file: 'settings.gradle', name: /rootProject\.name\s*=\s*['"]([^'"]+)['"]/, label: 'gradle', version: /(?!)/ },
  { file: 'build.sbt', name: /\bname\s*:=\s*"([^"]+)"/, label: 'scala', version: /scalaVersion\s*:=\s*"([^"]+)"/ },
  { file: 'composer.json', name: /"name"\s*:\s*"([^"]+)"/, label: 'php', version: /"php"\s*:\s*"([^"]+)"/ },
  {
    file: '*.gemspec',
    name: /\.name\s*=\s*["']([^"']+)["']/,
    label: 'ruby',
    version: /required_ruby_version\s*=\s*["']([^"']+)["']/,
  },
  { file: 'mix.exs', name: /\bapp:\s*:(\w+)/, label: 'elixir', version: /\belixir:\s*"([^"]+)"/ },
  { file: 'pubspec.yaml', name: /^name:\s*(\S+)/m, label: 'dart', version: /^\s+sdk:\s*["']?([^"'\n]+)/m },
  { file: '*.cabal', name: /^name:\s*(\S+)/im, label: 'cabal', version: /^cabal-version:\s*(\S+)/im },
  {
    file: 'build.zig.zon',
    name: /\.name\s*=\s*[.@"]*([\w-]+)/,
    label: 'zig',
    version: /\.minimum_zig_version\s*=\s*"([^"]+)"/,
  },
  { file: '*.csproj', name: null, label: 'dotnet', version: /<TargetFrameworks?>([^<]+)</ },
];

export interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** Falls back to the folder's name and no version. */
export async function readManifest(root: string): Promise<Manifest> {
  const fallback = { name: basename(root), version: '' };
  let files: readonly string[];
  try {
    files = await readdir(root);
  } catch {
    return fallback;
  }
  for (const { file, name, label, version } of ECOSYSTEMS) {
    const found = file.startsWith('*') ? files.find((entry) => entry.endsWith(file.slice(1))) : file;
    if (found === undefined || !files.includes(found)) continue;
    const text = await readFile(join(root, found), 'utf8').catch(() => '');
    if (text === '' || text.length > MAX_BYTES) continue;
    const named = name?.exec(text)?.slice(1).find(Boolean);
    const wanted = version.exec(text)?.[1]?.trim();
    return {
      name: named ?? (name === null ? found.replace(/\.\w+$/, '') : fallback.name),
      version: wanted ? `${label} ${wanted}` : '',
    };
  }
  return fallback;
}
