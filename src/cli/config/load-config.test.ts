import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { EngineError } from '../../model/records/engine-errors.ts';
import { parseConfig } from './config-file.ts';
import { dataFolder } from './data-folder.ts';
import { type ConfigSources, loadSettings } from './load-config.ts';
import { projectConfigText, SETTINGS } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-config-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

function sources(files: { user?: string; project?: string; explicit?: string }, environment = {}): ConfigSources {
  const home = join(folder, String(++made));
  const place = (path: string, text: string | undefined) => {
    if (text === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const project = join(home, 'project');
  place(join(home, 'data', 'config.yml'), files.user);
  place(join(project, '.sextant', 'config.yml'), files.project);
  place(join(home, 'own.yml'), files.explicit);
  return {
    dataFolder: join(home, 'data'),
    environment,
    explicit: files.explicit === undefined ? null : join(home, 'own.yml'),
    projectFolder: join(project, 'src', 'deep'),
  };
}

async function refusal(from: ConfigSources): Promise<string> {
  try {
    await loadSettings(from);
  } catch (error) {
    assert.ok(error instanceof EngineError && error.code === 'invalid_config', String(error));
    return error.message;
  }
  assert.fail('accepted');
}

test('settings come from defaults, user, project and environment, the later source overriding', async () => {
  assert.equal((await loadSettings(sources({}))).values['search.limit'], 10);
  const user = 'search: { limit: 20 }';
  assert.equal((await loadSettings(sources({ user }))).values['search.limit'], 20);
  const project = 'search: { limit: 30 }';
  assert.equal((await loadSettings(sources({ user, project }))).values['search.limit'], 30);
  const environment = { SEXTANT_SEARCH_LIMIT: '40', SEXTANT_INDEX_EXCLUDE: 'a/**, b/**' };
  const { values } = await loadSettings(sources({ user, project }, environment));
  assert.equal(values['search.limit'], 40);
  assert.deepEqual(values['index.exclude'], ['a/**', 'b/**']);
});

test('--config stands in for both files', async () => {
  const { values, files } = await loadSettings(
    sources({ user: 'search: { limit: 20 }', project: 'search: { mode: vector }', explicit: 'serve: { port: 9000 }' }),
  );
  assert.deepEqual([values['search.limit'], values['search.mode'], values['serve.port']], [10, 'hybrid', 9000]);
  assert.equal(files.length, 1);
});

test("a project's configuration cannot set where a server listens", async () => {
  const { values, warnings } = await loadSettings(
    sources({ project: 'serve: { host: 0.0.0.0, port: 1 }\nsearch: { limit: 5 }' }),
  );
  assert.deepEqual([values['serve.host'], values['serve.port'], values['search.limit']], ['127.0.0.1', 7420, 5]);
  assert.equal(warnings.length, 2);
});

test('a wrong setting is refused with its line', async () => {
  assert.match(
    await refusal(sources({ project: '# note\nsearch:\n  limit: many' })),
    /`search.limit` must be a whole number.*line 3/,
  );
  assert.match(
    await refusal(sources({ user: 'search:\n  limt: 3' })),
    /no setting "search.limt".*line 2.*did you mean `search.limit`/,
  );
  assert.match(await refusal(sources({ user: 'serch:\n  limit: 3' })), /did you mean `search`/);
  assert.match(await refusal(sources({ user: 'search: [1, 2' })), /line 1/);
  assert.match(await refusal(sources({ user: '- a\n- b' })), /mapping/);
  assert.match(await refusal(sources({ user: 'search: 3' })), /must hold settings/);
  assert.match(await refusal(sources({ user: 'index: { exclude: [1] }' })), /list of texts/);
  assert.match(
    await refusal(sources({}, { SEXTANT_SEARCH_MODE: 'magic' })),
    /SEXTANT_SEARCH_MODE.*hybrid, keyword, vector/,
  );
  assert.match(await refusal(sources({}, { SEXTANT_SEARCH_LIMIT: 'many' })), /SEXTANT_SEARCH_LIMIT.*not "many"/);
});

test('YAML aliases without an anchor, or excessively many, are an error of the file', async () => {
  assert.match(await refusal(sources({ project: 'search: *nothing' })), /Unresolved alias/);
  const lists = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
  for (const [name, of] of ['ba', 'cb', 'dc']) lists.push(`${name}: &${name} [${Array(10).fill(`*${of}`).join()}]`);
  assert.match(await refusal(sources({ project: lists.join('\n') })), /Excessive alias count/);
});

test('a duplicate key is refused with its line', async () => {
  assert.match(
    await refusal(sources({ user: 'search:\n  limit: 3\n  limit: 4' })),
    /`limit` is given twice \(line 3\)/,
  );
  assert.match(await refusal(sources({ user: 'search:\nsearch:\n' })), /`search` is given twice \(line 2\)/);
});

test('nesting that would exhaust the stack of the YAML library, and end the process, is refused', async () => {
  for (const open of ['? ', '- ', '[', '{a: ', ': '])
    assert.match(await refusal(sources({ project: open.repeat(60_000 / open.length) })), /nested too deeply/, open);
  const steps = Array.from({ length: 340 }, (_, i) => `${' '.repeat(i)}a:`).join('\n');
  assert.match(await refusal(sources({ project: steps })), /nested too deeply|must hold|no setting/);
});

test('a settings file over the length limit is not parsed', async () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}: ${i}`).join('\n');
  assert.match(await refusal(sources({ project: keys })), /its length is \d+; settings take no more than 65536/);
});

test('empty settings files and empty sections are valid', async () => {
  const { values } = await loadSettings(sources({ user: '', project: '# nothing\n\nsearch:\n' }));
  assert.equal(values['search.limit'], 10);
});

test("the data folder is the platform's folder for application data", () => {
  const home = '/home/u';
  assert.equal(dataFolder({ SEXTANT_HOME: '/x/y' }, 'linux', home), '/x/y');
  assert.equal(dataFolder({ SEXTANT_HOME: '~/data' }, 'linux', home), '/home/u/data');
  assert.equal(dataFolder({}, 'linux', home), '/home/u/.local/share/sextant');
  assert.equal(dataFolder({ XDG_DATA_HOME: '/data' }, 'linux', home), '/data/sextant');
  assert.equal(dataFolder({ XDG_DATA_HOME: 'relative' }, 'linux', home), '/home/u/.local/share/sextant');
  assert.equal(dataFolder({}, 'darwin', home), '/home/u/Library/Application Support/sextant');
});

test('the file that init writes changes no setting, and lists every project setting with its default', () => {
  const text = projectConfigText();
  assert.deepEqual(parseConfig('config.yml', text), {});
  const made = Object.entries(SETTINGS).filter(([, { scope }]) => scope === 'project');
  assert.deepEqual(
    parseConfig('config.yml', text.replace(/^ {2}# /gm, '  ')),
    Object.fromEntries(made.map(([key, spec]) => [key, spec.default])),
  );
});

test('a server ignores an invalid project file with a warning; an invalid user file stops it', async () => {
  for (const project of [
    'search: { limit: many }',
    'search: [',
    'serach: {}',
    '- a',
    `search: { mode: "${'x'.repeat(1e6)}" }`,
  ]) {
    const from = { ...sources({ user: 'search: { limit: 20 }', project }), ignoresInvalidProject: true };
    const { values, warnings, ignoredFile, files } = await loadSettings(from);
    assert.equal(values['search.limit'], 20);
    assert.match(ignoredFile ?? '', /project.\.sextant.config\.yml$/);
    assert.deepEqual([warnings.length, files.length], [1, 1], project.slice(0, 40));
    assert.match(warnings[0]!, /not valid.*It is ignored/);
    await assert.rejects(loadSettings({ ...from, ignoresInvalidProject: false }), { code: 'invalid_config' });
  }
  const pattern = { ...sources({ project: 'index: { exclude: ["["] }' }), ignoresInvalidProject: true };
  assert.match((await loadSettings(pattern)).warnings[0] ?? '', /pattern "\[" is not valid.*It is ignored/);
  const own = { ...sources({ user: 'search: { limit: many }' }), ignoresInvalidProject: true };
  await assert.rejects(loadSettings(own), { code: 'invalid_config' });
});

test('a project file that links out of the project is ignored with a warning that quotes nothing of it', async () => {
  const from = sources({ user: 'search:\n  limit: 7\n' });
  const project = dirname(dirname(from.projectFolder));
  mkdirSync(join(project, '.sextant'), { recursive: true });
  writeFileSync(join(folder, 'secret'), 'words of the user\n');
  symlinkSync(join(folder, 'secret'), join(project, '.sextant', 'config.yml'));
  const { values, warnings } = await loadSettings(from);
  assert.equal(values['search.limit'], 7);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /config\.yml is ignored/);
  assert.doesNotMatch(warnings[0]!, /words of the user/);
});
