import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../../../test/workspace.ts';
import { translateToEnglish } from './translate-query.ts';

const unused = () => false;

test('known words of a question in another language are translated, and names stay', () => {
  for (const [question, english] of [
    ['Wo werden abgelaufene Schlüssel gelöscht?', 'expire key delete'],
    ['wie wird die Konfigurationsdatei gelesen', 'configuration file read'],
    ['Wo prüft parseConfig die Eingabe', 'check parseConfig input'],
    ['¿dónde se eliminan las claves caducadas?', 'delete key expire'],
    ['cómo funciona la replicación', 'replication'],
    ['où sont supprimées les clés expirées', 'delete key expire'],
    ['onde são excluídas as chaves expiradas', 'delete key expire'],
    ['где удаляются истекшие ключи', 'delete expire key'],
    ['过期键在哪里删除', 'expire key delete'],
    ['期限切れのキーはどこで削除されますか', 'expire key delete'],
    ['服务 zookeeper', 'service zookeeper'],
  ] as const)
    assert.equal(translateToEnglish(question, unused), english, question);
});

test('a question that may be English or has no known word is not translated', () => {
  for (const question of [
    'where are expired keys deleted',
    'die on error',
    'comment parser',
    'la carte menu',
    'del key event',
    'com executables',
    'retry failed requests',
    'naïve lookup',
    'café',
    'wie backe ich einen Kuchen',
    '今天天气',
    'parseFile',
    '',
  ])
    assert.equal(translateToEnglish(question, unused), null, question);
});

test('a translated word stays in the query if the repository uses it', () => {
  assert.equal(translateToEnglish('wo wird die Rechnung gelöscht', unused), 'Rechnung delete');
  assert.equal(
    translateToEnglish('wo wird der Schlüssel gelöscht', (term) => term === 'schlüssel'),
    'Schlüssel key delete',
  );
});

test('a search in another language finds the same file as the English one and keeps its filters', async () => {
  const space = workspace({
    'src/expire.ts': '/** Deletes keys once they are expired. */\nexport function deleteExpiredKeys() {}\n',
    'src/replication.ts': '/** Sends every write to the replicas. */\nexport function replicate() {}\n',
    'src/expire.py': 'def delete_expired_key():\n    pass\n',
    'src/rechnung.ts': '/** Die Rechnung eines Kunden. */\nexport function rechnungStellen() {}\n',
  });
  try {
    await space.engine.index(space.root);
    const first = async (query: string) => (await space.engine.search(space.root, { query })).hits[0]?.path;
    assert.equal(await first('wo werden abgelaufene Schlüssel gelöscht lang:typescript'), 'src/expire.ts');
    assert.equal(await first('过期键在哪里删除 lang:python'), 'src/expire.py');
    assert.equal(await first('wo wird die Rechnung gestellt'), 'src/rechnung.ts');
    const { hits } = await space.engine.search(space.root, { query: 'wie backe ich einen Kuchen' });
    assert.deepEqual(hits, []);
  } finally {
    await space.close();
  }
});
