/**
 * Which types of a Rust repository implement which of its traits, from the documentation that rustdoc makes as JSON.
 * Its flags are unstable, so the compiler is told to take them all the same. Crates that do not build are left out.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

interface Item {
  readonly name: string | null;
  readonly span: { readonly filename: string; readonly begin: readonly [number, number] } | null;
  readonly inner: {
    readonly struct?: unknown;
    readonly enum?: unknown;
    readonly trait?: { readonly implementations: readonly number[] };
    readonly impl?: {
      readonly for: { readonly resolved_path?: { readonly id: number } };
      readonly is_synthetic: boolean;
      readonly blanket_impl: unknown;
    };
  };
}

export function rustImplementers(folder: string, target: string): string {
  const run = (...args: string[]) =>
    execFileSync('cargo', args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, RUSTC_BOOTSTRAP: '1', CARGO_TARGET_DIR: target },
    });
  const { packages } = JSON.parse(run('metadata', '--no-deps', '--format-version', '1')) as {
    packages: { name: string; targets: { kind: string[] }[] }[];
  };
  const flags = ['--', '-Z', 'unstable-options', '--output-format', 'json', '--document-private-items'];
  for (const { name, targets } of packages) {
    if (!targets.some(({ kind }) => kind.includes('lib'))) continue;
    try {
      run('rustdoc', '-q', '-p', name, '--lib', '--ignore-rust-version', ...flags);
    } catch {
      console.error(`  rustdoc failed on ${name}; left out`);
    }
  }
  const lines = new Set<string>();
  for (const file of readdirSync(join(target, 'doc')).filter((name) => name.endsWith('.json')))
    list(folder, JSON.parse(readFileSync(join(target, 'doc', file), 'utf8')).index, lines);
  return [...lines].sort().join('');
}

function list(folder: string, index: Readonly<Record<string, Item>>, lines: Set<string>): void {
  const placeOf = ({ name, span }: Item): string | null => {
    if (!span || !name) return null;
    const path = relative(folder, join(folder, span.filename));
    if (path.startsWith('..')) return null;
    const text = readFileSync(join(folder, path), 'utf8').split('\n');
    // A span begins with the attributes or the visibility.
    const word = new RegExp(`\\b(?:trait|struct|enum|union)\\s+${name}\\b`);
    for (let line = span.begin[0]; line <= span.begin[0] + 30; line++)
      if (word.test(text[line - 1] ?? '')) return `${path}:${line}`;
    return null;
  };
  for (const item of Object.values(index)) {
    const type = item.inner.struct || item.inner.enum ? placeOf(item) : null;
    if (type) lines.add(`-\t\t${type}\n`);
    const above = item.inner.trait ? placeOf(item) : null;
    if (!above) continue;
    lines.add(`${above}\t${item.name}\t\n`);
    for (const id of item.inner.trait!.implementations) {
      const impl = index[id]?.inner.impl;
      const meant = impl?.for.resolved_path && index[impl.for.resolved_path.id];
      const own = impl && !impl.is_synthetic && !impl.blanket_impl && meant ? placeOf(meant) : null;
      if (own) lines.add(`${above}\t${item.name}\t${own}\n`);
    }
  }
}
