/**
 * `npm run measure:ddd -- --repos DIR [--misses]`: how well the roles of domain-driven design are recognised. labels.json has
 * the roles that people read off the code of public repositories in Go; a type that is not listed there has none.
 * DIR holds the clones, as NAME or OWNER+NAME, at the commits of the labels; test files, vendored and generated code
 * are left out.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { markDddRoles } from '../../src/chunk/index.ts';
import { createParser, languageById, prepareParserRuntime } from '../../src/languages/index.ts';
import { compareRoles, type Labels, type Outcome, type Scores, scoresOf } from './compare-roles.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const argv = process.argv.slice(2);
const repos = argv[argv.indexOf('--repos') + 1];
if (!argv.includes('--repos') || !repos) {
  console.error('usage: npm run measure:ddd -- --repos DIR [--misses]');
  process.exit(2);
}
// Grammars and queries are read from dist/. In a process of its own: a build leaves its own parser runtime behind.
const buildScript = pathToFileURL(join(root, 'scripts/build.mjs')).href;
execFileSync(process.execPath, ['-e', `import('${buildScript}').then((build) => build.buildIfStale())`]);
await prepareParserRuntime(join(root, 'dist/grammars'));
const parser = createParser({
  grammarFolder: join(root, 'dist/grammars'),
  queryFolder: join(root, 'dist/queries'),
});
const go = languageById('go')!;
await parser.load(go);
const TYPES = new Set(['struct', 'interface', 'type', 'class']);

/** The roles found, by `path#Type`; null for a type without one. */
function findRoles(folder: string, commit: string): Map<string, string | null> {
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const found = new Map<string, string | null>();
  for (const path of git('ls-tree', '-r', '--name-only', commit).split('\n')) {
    if (!path.endsWith('.go') || path.endsWith('_test.go') || /(?:^|\/)vendor\//.test(path)) continue;
    const text = git('show', `${commit}:${path}`);
    if (/^\/\/ .*(?:Code generated|DO NOT EDIT)/m.test(text.slice(0, 2000))) continue;
    const parsed = parser.parse({ language: go, text });
    const roles = new Map(markDddRoles(parsed).map(({ symbol, role }) => [symbol, role]));
    parsed.symbols.forEach(({ kind, name, parent }, index) => {
      if (TYPES.has(kind) && parent < 0) found.set(`${path}#${name}`, roles.get(index) ?? null);
    });
  }
  return found;
}

const { repositories }: Labels = JSON.parse(readFileSync(join(root, 'bench/ddd/labels.json'), 'utf8'));
const all: Outcome[] = [];
const line = (name: string, { right, found, labelled, precision, recall }: Scores) =>
  console.log(
    `${name.padEnd(46)} ${right} of ${found} found, ${labelled} labelled: precision ${precision}, recall ${recall}`,
  );
for (const { repository, commit, roles } of repositories) {
  const [owner, name] = repository.split('/') as [string, string];
  const folder = [join(repos, `${owner}+${name}`), join(repos, name)].find(existsSync);
  if (!folder) {
    console.log(`${repository} is not in ${repos}`);
    continue;
  }
  const outcomes = compareRoles(findRoles(folder, commit), roles);
  all.push(...outcomes);
  line(repository, scoresOf(outcomes));
  if (argv.includes('--misses'))
    for (const { type, found, labelled, right } of outcomes)
      if (!right) console.log(`  ${type}: ${found ?? 'none'}, labelled ${labelled.join(' or ') || 'none'}`);
}
for (const role of ['aggregate', 'entity', 'value_object', 'repository', 'service'])
  line(role, scoresOf(all.filter(({ found, labelled }) => found === role || labelled[0] === role)));
line('all', scoresOf(all));
