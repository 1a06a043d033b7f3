/** Settings, flags, routes and variables of the environment, each beside files that have more of its words. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import { findSettingKeys } from './setting-keys.ts';

const files = {
  'src/options.ts':
    "export const list = [\n  option('skip-verify', 'Takes everything as it is'),\n" +
    "  option('port', 'Where to listen'),\n];\n",
  'src/cargo.go':
    'package cargo\n\n// Cargo of the hold: cargo in the hold, and what hold it is in.\ntype Cargo struct {\n' +
    '\tHold string `json:"hold"`\n}\n',
  'cmd/root.go': 'package cmd\n\nfunc init() {\n\troot.Flags().StringP("hold", "o", "", "Where it goes")\n}\n',
  'src/gauge.go':
    'package gauge\n\nfunc parse(key string) int {\n\tswitch key {\n\tcase "water_level":\n\t\treturn 1\n\t}\n' +
    '\treturn 0\n}\n',
  'src/tank.go':
    'package gauge\n\n// Water has a level: the level of the water.\ntype Water struct {\n\tLevel int\n' +
    '\tLevelOfWater int\n}\n',
  'src/parse.ts': "export function parse(args: string[]) {\n  return args.includes('--dry-run');\n}\n",
  'src/checks.ts':
    '/** Verify or skip: what to verify, when to skip. With --skip-verify this does nothing. */\n' +
    'export class Checks {\n  skip = 1;\n  verify = 2;\n  dry = 3;\n  run = 4;\n}\n',
  'src/defaults.conf': 'listen 80\nlazy-cache-eviction yes\n',
  'src/eviction.ts':
    '/** Lazy eviction of a cache: the lazy cache evicts lazily. */\nexport class Evictions {\n  lazy = 1;\n' +
    '  cache = 2;\n}\n',
  'src/server.ts':
    "import { queues } from './queues.ts';\n\nexport function serve(app: App) {\n" +
    "  app.get('/queues/busy', () => 1);\n  return process.env.QUEUE_HOME_FOLDER;\n}\n",
  'src/queues/busy.ts': '/** Busy queues: which queues are busy. */\nexport function busyQueues() {}\n',
  'src/limits.py': 'class Slot:\n    def fetch_delay(self):\n        return self.delay\n',
  'src/values.py': 'FETCH_RATE = 1\nFETCH_DELAY = 0\n',
  'docs/queue.md': '# QUEUE_HOME_FOLDER\n\nQUEUE_HOME_FOLDER is the home folder of the queue: a folder.\n',
  'test/checks.test.ts': "test('--skip-verify', () => run('skip-verify'));\n",
};
let space: Workspace;
before(async () => {
  space = workspace(files);
  await space.engine.index(space.root);
});
after(() => space.close());
const first = async (query: string) => {
  const [hit] = (await space.engine.search(space.root, { query })).hits;
  return hit && { path: hit.path, content: hit.content };
};

test('a flag is found at its declaration, with or without its dashes', async () => {
  const declared = await first('--skip-verify');
  assert.equal(declared?.path, 'src/options.ts');
  assert.match(declared.content, /'skip-verify'/);
  assert.equal((await first('--dry-run'))?.path, 'src/parse.ts');
  assert.equal((await first('--hold'))?.path, 'cmd/root.go', 'any other key may be called so');
});

test('a key with underscores that no symbol is named after is found where it is read', async () => {
  const read = await first('water_level');
  assert.equal(read?.path, 'src/gauge.go');
  assert.match(read.content, /"water_level"/);
});

test('a setting with dashes is found where it is set, and a route where it is served', async () => {
  assert.equal((await first('lazy-cache-eviction'))?.path, 'src/defaults.conf');
  assert.equal((await first('GET /queues/busy'))?.path, 'src/server.ts');
});

test('an environment variable is found where it is read', async () => {
  const hits = (await space.engine.search(space.root, { query: 'QUEUE_HOME_FOLDER' })).hits.map(({ path }) => path);
  assert.ok(hits.indexOf('src/server.ts') >= 0 && hits.indexOf('src/server.ts') < 2, hits.join(' '));
});

test('a constant does not match a method of the same name in another case', async () => {
  assert.equal((await first('FETCH_DELAY'))?.path, 'src/values.py');
  assert.equal((await first('fetch_delay'))?.path, 'src/limits.py');
});

test('in a sentence, a word with a dash is not a setting key', () => {
  const keys = (text: string, asks = false) => findSettingKeys(text, asks).map((key) => key.text);
  assert.deepEqual(keys('how are non-blocking reads handled', true), []);
  assert.deepEqual(keys('end-to-end encryption of stored messages'), []);
  assert.deepEqual(keys('what does --max-depth=3 do?', true), ['max-depth']);
  assert.deepEqual(keys('parse config file'), []);
  assert.deepEqual(keys('spring.main.banner-mode'), ['spring.main.banner-mode']);
});
