/** The block for agents' instructions, in the files that they have. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { applyChange, planInstall, planUninstall, type Target } from './install-plan.ts';
import { blockFormat, cursorRuleFormat, INSTRUCTION_BLOCK } from './instructions.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-instructions-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const store = join(folder, 'store');
let files = 0;
const install = (target: Target) => applyChange(planInstall(target), store);
const uninstall = (target: Target) => applyChange(planUninstall(target, store), store);

test('the instructions have twelve lines at most, are replaced in place and removed byte for byte', () => {
  assert.ok(INSTRUCTION_BLOCK.length <= 12);
  for (const before of ['# Mine\n', '# Mine', '', 'a\r\nb\r\n']) {
    const file = join(folder, `AGENTS-${files++}.md`);
    if (before !== '') writeFileSync(file, before);
    const target = { title: 'Instructions', file, format: blockFormat, path: ['block'], value: true };
    install(target);
    assert.equal(planInstall(target).action, 'none');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('search_code', 'search'));
    assert.equal(planInstall(target).after, text, 'an older block is replaced');
    writeFileSync(file, text);
    uninstall(target);
    assert.equal(existsSync(file) ? readFileSync(file, 'utf8') : '', before);
  }
});

test('a rule of Cursor is one that Cursor always reads, and is brought up to date', () => {
  const file = join(folder, `rules-${files++}`, 'sextant.mdc');
  const target = {
    title: 'Instructions',
    file,
    project: folder,
    format: cursorRuleFormat,
    path: ['block'],
    value: true,
  };
  install(target);
  const text = readFileSync(file, 'utf8');
  assert.ok(text.startsWith('---\nalwaysApply: true\n---\n\n<!-- sextant:begin -->\n'), text);
  assert.equal(statSync(file).mode & 0o777, 0o644);
  assert.equal(planInstall(target).action, 'none');
  writeFileSync(file, `${INSTRUCTION_BLOCK.join('\n')}\n`);
  assert.equal(planInstall(target).after, text, 'an older rule gets its head');
  writeFileSync(file, `${text}\n`);
  uninstall(target);
  assert.equal(readFileSync(file, 'utf8'), '');
});
