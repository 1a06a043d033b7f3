/** Questions about the whole, about subclasses, about settings, and about ways that no chain of calls shows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import type { ResearchRequest } from '../../model/records/query.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "kiln", "workspaces": ["packages/*"] }',
  'packages/heat/package.json': '{ "name": "heat" }',
  'packages/heat/src/fire.ts':
    "import { shape } from '../../clay/src/shape';\n\nexport function fire() {\n  return shape();\n}\n\n" +
    'export function cool() {}\n',
  'packages/clay/package.json': '{ "name": "clay" }',
  'packages/clay/src/shape.ts':
    "import { cool } from '../../heat/src/fire';\n\nexport function shape() {\n  return cool();\n}\n",
  'packages/cli/package.json': '{ "name": "cli" }',
  'packages/cli/src/main.ts':
    "import { fire } from '../../heat/src/fire';\n\nexport function main() {\n  return fire();\n}\n\nmain();\n",
  'tools/queue.ts':
    'export class Effect {\n  scheduler?: () => void = undefined;\n  trigger() {\n' +
    '    if (this.scheduler) this.scheduler();\n  }\n}\n\nexport function change(effect: Effect) {\n' +
    '  effect.trigger();\n}\n\nexport function setUp(effect: Effect) {\n  effect.scheduler = () => enqueue();\n' +
    '}\n\nexport function enqueue() {\n  Promise.resolve().then(flush);\n}\n\nexport function flush() {}\n\n' +
    'export function idle() {}\n',
  'src/config.c':
    '#include "server.h"\n\n/* Options like "maxheat" are listed here. */\nstruct option options[] = {\n' +
    '    intOption("maxheat", 0, &server.maxheat, 1200),\n    intOption("fan-speed", 0, &server.fan_speed, 3),\n' +
    '};\n',
  'src/server.h': 'struct kilnServer {\n    int maxheat;\n    int fan_speed;\n};\nextern struct kilnServer server;\n',
  'src/burn.c': '#include "server.h"\n\nint tooHot(int heat) {\n    return heat > server.maxheat;\n}\n',
  'src/table.c': 'struct option more[] = {\n    enumOption("glazing", glazes, &server.finish),\n};\n',
  'kiln.conf': '# How hot it may get:\n#\n# maxheat 1200\nfan-speed 4\nglazing matt\n',
  'tools/watch.ts':
    'export class Watcher {\n  constructor(public run: () => void) {}\n  notify() {\n    this.run();\n  }\n}\n',
  'tools/door.ts':
    "import { Watcher } from './watch';\n\nexport function openDoor(watcher: Watcher) {\n  watcher.notify();\n}\n",
  'tools/alarm.ts':
    "import { Watcher } from './watch';\n\nexport function setAlarm() {\n  const sound = () => ringBell();\n" +
    '  return new Watcher(sound);\n}\n\nexport function ringBell() {}\n',
  'tools/commands.py':
    'class BaseCommand:\n    pass\n\n\nclass Glaze(BaseCommand):\n    pass\n\n\nclass Paint(Glaze):\n    pass\n',
};

let space: Workspace;
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
});
after(() => space.close());
const ask = (query: string, more: Partial<ResearchRequest> = {}) =>
  space.engine.research(space.root, { query, ...more });

test('an architecture question is answered by modules, entry points, central files, dependencies and cycles', async () => {
  for (const query of ['architecture overview', 'how is this project structured?']) {
    const { question, summary, truncated } = await ask(query);
    assert.equal(question, 'architecture');
    assert.match(summary, /^\d modules, the largest at /);
    assert.match(
      summary,
      /\nEntry points, the first at packages\/cli\/src\/main\.ts:3:\n- packages\/cli\/src\/main\.ts:3\n/,
    );
    assert.match(summary, /\nFiles that others refer to most, .*\n- packages\/heat\/src\/fire\.ts:3 \(fire, cool\)\n/);
    assert.match(summary, /\n- module heat imports module clay, 1 time, first at packages\/heat\/src\/fire\.ts:1\n/);
    assert.match(
      summary,
      /\n- cycle: clay → heat → clay, by packages\/clay\/src\/shape\.ts:1, packages\/heat\/src\/fire\.ts:1$/,
    );
    assert.equal(truncated, false);
  }
});

test('a cycle that only a folder of the root module closes is none', async () => {
  const merged = workspace({
    'go.mod': 'module example.com/shop\n',
    'shop.go': 'package shop\n\nimport "example.com/shop/render"\n\nfunc Run() { render.Draw() }\n',
    'more.go': 'package shop\n\nfunc More() {}\n',
    'render/draw.go': 'package render\n\nimport "example.com/shop/internal/fs"\n\nfunc Draw() { fs.Open() }\n',
    'render/line.go': 'package render\n\nfunc Line() {}\n',
    'internal/fs/fs.go': 'package fs\n\nfunc Open() {}\n',
  });
  await merged.engine.index(merged.root);
  const { summary, cycles } = await merged.engine.research(merged.root, { query: 'architecture overview' });
  assert.match(summary, /module render imports module shop/);
  assert.doesNotMatch(summary, /cycle/);
  assert.deepEqual(cycles, []);
  await merged.close();
});

test('research lists subclasses, however the question asks for them', async () => {
  for (const query of [
    'which subclasses does BaseCommand have',
    'what extends the class BaseCommand',
    "BaseCommand's subclasses",
  ])
    assert.match(
      (await ask(query)).summary,
      /^1 place implements .*\n- Glaze inherits BaseCommand \(tools\/commands\.py:5\)\n {2}- Paint inherits Glaze /,
      query,
    );
});

test('without a chain of calls, a function that is passed as a value or stored is shown as a bridge', async () => {
  const handed = await ask('how does enqueue reach flush');
  assert.match(handed.summary, /^1\. enqueue → flush at tools\/queue\.ts:17 \(named, not called\)/);
  const { summary, edges } = await ask('how does change reach flush');
  assert.deepEqual(summary.split('\n'), [
    'No chain of calls from change (tools/queue.ts:8) to flush (tools/queue.ts:20) was found within 8 steps.',
    'A likely way leads over setUp.effect.scheduler by tools/queue.ts:13, where no call of it is known:',
    '1. change → Effect.trigger at tools/queue.ts:9',
    '2. Effect.trigger → Effect.scheduler at tools/queue.ts:4',
    '3. Effect.scheduler may hold setUp.effect.scheduler, which is stored under this name (likely bridge) at ' +
      'tools/queue.ts:13',
    '4. setUp.effect.scheduler → enqueue at tools/queue.ts:13',
    '5. enqueue names flush without calling it (likely bridge) at tools/queue.ts:17',
  ]);
  assert.ok(edges.every(({ kind, confidence }) => kind === 'calls' || confidence === 'likely'));
});

test('without a chain between two names, research shows the calls of both ends', async () => {
  const { summary } = await ask('how does change reach idle');
  assert.deepEqual(summary.split('\n'), [
    'No chain of calls from change (tools/queue.ts:8) to idle (tools/queue.ts:22) was found within 8 steps.',
    'Calls from tools/queue.ts:8 lead to 2 symbols, through these:',
    '- change → Effect.trigger at tools/queue.ts:9',
    'Nothing in the index is known to call idle (tools/queue.ts:22) or to name it.',
  ]);
  const up = await ask('how does idle reach enqueue');
  assert.match(
    up.summary,
    /\nNo call from tools\/queue\.ts:22 can be followed\.\nWhat leads to enqueue, from tools\/queue\.ts:13 /,
  );
});

test('an answer about a setting shows its entry in the table, then the configuration, then its readers', async () => {
  const { question, summary } = await ask('where is maxheat configured');
  assert.equal(question, 'configuration');
  assert.deepEqual(summary.split('\n'), [
    'maxheat has its entry at src/config.c:5:',
    '- src/config.c:5: intOption("maxheat", 0, &server.maxheat, 1200),',
    '- kiln.conf:3: # maxheat 1200',
    'It is kept in kilnServer.maxheat (src/server.h:2), which these use:',
    '- tooHot at src/burn.c:4',
  ]);
  const dashed = await ask('where is fan-speed set?');
  assert.match(
    dashed.summary,
    new RegExp(
      '^fan-speed has its entry at src/config\\.c:6:\\n.*\\n- kiln\\.conf:4: fan-speed 4\\n' +
        '.*fan_speed .*; no use of it could be resolved\\.$',
    ),
  );
});

test('a function that a constructor receives is shown as a bridge', async () => {
  const { summary } = await space.engine.research(space.root, { query: 'how does openDoor reach ringBell' });
  assert.match(summary, /Watcher\.notify may run .*sound, which its type is given here \(likely bridge\)/);
  assert.match(summary, /sound → ringBell at tools\/alarm\.ts:4/);
});

test('described ends of a path are found by search', async () => {
  const query = 'how does an open door trigger a ring bell';
  const { summary } = await space.engine.research(space.root, { query });
  assert.match(summary, /^Neither end is a name: "open door" was looked for in tools\/door\.ts:1/);
  assert.match(summary, /1\. openDoor → Watcher\.notify at tools\/door\.ts:4/);
});

test('a plain word counts as a setting if code and a configuration file both have an entry', async () => {
  const { summary } = await space.engine.research(space.root, { query: 'where is glazing configured' });
  assert.match(summary, /^glazing has its entry at src\/table\.c:2:/);
});

test('imports of a file are listed beside its calls', async () => {
  const { summary } = await space.engine.research(space.root, { query: 'what does tools/door.ts import' });
  assert.match(summary, /- tools\/door\.ts:1 imports tools\/watch\.ts/);
});
