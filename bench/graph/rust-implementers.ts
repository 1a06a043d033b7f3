/**
 * Lists which types of a Rust repository implement which of its traits, from rustdoc's JSON output. Its flags are
 * unstable; an environment variable makes the compiler accept them. Crates that do not build are left out.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

interface Item {
  readonly name: string | null;
  readonly span: { readonly filename: string; readonly begin: readonly [number, number] } | null;
  readonly inner: {
    readonly struct?: unknown;
    readonly enum?: unknown;
    readonly trait?: unknown;
    readonly impl?: {
      readonly for: { readonly resolved_path?: { readonly id: number } };
      readonly trait: { readonly id: number } | null;
      readonly is_synthetic: boolean;
      readonly blanket_impl: unknown;
    };
  };
}

/** rustdoc's output for one crate; `paths` also has the qualified names of items that it uses from other crates. */
interface Crate {
  readonly index: Readonly<Record<string, Item>>;
  readonly paths: Readonly<Record<string, { readonly path: readonly string[] }>>;
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
    packages: { name: string; targets: { kind: string[] }[]; features: Record<string, unknown> }[];
  };
  // The crates of the previous repository used the same folder.
  rmSync(join(target, 'doc'), { recursive: true, force: true });
  const flags = ['--', '-Z', 'unstable-options', '--output-format', 'json', '--document-private-items'];
  for (const { name, targets, features } of packages) {
    if (!targets.some(({ kind }) => kind.includes('lib'))) continue;
    // All features together may need flags of the compiler (tokio); `full` is what a crate calls all that go together.
    const choices = [['--all-features'], ...('full' in features ? [['--features', 'full']] : []), []];
    const isMade = choices.some((choice) => {
      try {
        run('rustdoc', '-q', '-p', name, '--lib', ...choice, '--ignore-rust-version', ...flags);
        return true;
      } catch {
        return false;
      }
    });
    if (!isMade) console.error(`  rustdoc failed on ${name}; left out`);
  }
  const crates = readdirSync(join(target, 'doc'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(target, 'doc', name), 'utf8')) as Crate);
  return list(folder, crates).join('');
}

/** A type of one crate may implement a trait of another, so both are identified by qualified names. */
function list(folder: string, crates: readonly Crate[]): string[] {
  const placeOf = ({ name, span }: Item): string | null => {
    if (!span || !name) return null;
    const path = relative(folder, join(folder, span.filename));
    if (path.startsWith('..')) return null;
    const text = readFileSync(join(folder, path), 'utf8').split('\n');
    // A span begins at attributes or visibility, so the line of the name is searched for.
    const word = new RegExp(`\\b(?:trait|struct|enum|union)\\s+${name}\\b`);
    for (let line = span.begin[0]; line <= span.begin[0] + 30; line++)
      if (word.test(text[line - 1] ?? '')) return `${path}:${line}`;
    return null;
  };
  const lines = new Set<string>();
  const places = new Map<string, string>();
  for (const { index, paths } of crates)
    for (const [id, item] of Object.entries(index)) {
      const place = item.inner.struct || item.inner.enum || item.inner.trait ? placeOf(item) : null;
      if (!place) continue;
      if (paths[id]) places.set(paths[id].path.join('::'), place);
      lines.add(item.inner.trait ? `${place}\t${item.name}\t\n` : `-\t\t${place}\n`);
    }
  for (const { index, paths } of crates)
    for (const { inner } of Object.values(index)) {
      const { impl } = inner;
      if (!impl?.trait || impl.is_synthetic || impl.blanket_impl) continue;
      const [trait, type] = [paths[impl.trait.id], impl.for.resolved_path && paths[impl.for.resolved_path.id]];
      const [above, own] = [trait, type].map((said) => said && places.get(said.path.join('::')));
      if (above && own) lines.add(`${above}\t${trait!.path.at(-1)}\t${own}\n`);
    }
  return [...lines].sort();
}
