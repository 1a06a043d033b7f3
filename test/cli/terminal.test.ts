/** What a person at a terminal sees, through a pseudo-terminal of `script`. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { launcher, SAMPLE, sandbox } from './sextant.ts';

const has = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0;
const box = sandbox();
box.write(SAMPLE);

/** Types `answer` once `question` is on the screen. */
function atTerminal(
  args: readonly string[],
  question?: RegExp,
  answer = '',
): Promise<{ code: number | null; screen: string }> {
  const line = [process.execPath, launcher, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols 90; ${line}`, '/dev/null'], {
    cwd: box.path(),
    env: box.environment({ TERM: 'xterm' }),
  });
  return new Promise((resolve) => {
    let screen = '';
    let answered = false;
    child.stdout.on('data', (part) => {
      screen += part;
      if (question && !answered && question.test(screen)) {
        answered = true;
        child.stdin.write(answer);
      }
    });
    child.once('exit', (code) => resolve({ code, screen }));
  });
}

test('a search without an index asks; no is an answer', { skip: !has }, async () => {
  const { code, screen } = await atTerminal(['search', 'delay'], /\[Y\/n\]/, 'n\r');
  assert.match(screen, /There is no index for .* yet\. Make it now\?/);
  assert.equal(code, 3);
});

test('Ctrl-C at the question ends at once', { skip: !has, timeout: 60_000 }, async () => {
  const { code, screen } = await atTerminal(['search', 'delay'], /\[Y\/n\]/, '\u0003');
  assert.equal(code, 130, screen);
  assert.match(screen, /\[Y\/n\][^\n]*\nCancelled/);
});

test('yes indexes with a progress line that is taken off again, then answers in colour', { skip: !has }, async () => {
  const { code, screen } = await atTerminal(['search', 'NextDelay'], /\[Y\/n\]/, '\r');
  assert.equal(code, 0, screen);
  assert.match(screen, /\r\u001b\[2K/);
  assert.match(screen, /Indexed 7 files|Indexed \d+ files/);
  assert.match(screen, /\u001b\[36mretry\/policy\.go/);
  assert.match(screen, /\u001b\[1m\u001b\[4m\u001b\[34mNextDelay/);
});

test('no line is wider than the terminal', { skip: !has }, async () => {
  box.write({ 'wide.ts': `export const wideName = '${'x'.repeat(400)}';\n` });
  await atTerminal(['sync']);
  const { screen } = await atTerminal(['search', 'wideName', '--limit', '1']);
  const widest = Math.max(...screen.split(/\r?\n/).map((line) => line.replace(/\u001b\[\d*[a-zA-Z]/g, '').length));
  assert.ok(widest <= 90, String(widest));
});

test('map shows control characters and line breaks of names instead of printing them', {
  skip: process.platform === 'win32',
}, () => {
  const box = sandbox();
  box.write({
    'package.json': '{"name":"shop\\u001b]0;owned\\u0007\\n\\n# Owned"}',
    'src/e\u001b[31mvil.ts': 'export function first() {}\n',
    'src/a\n## Owned\nb.ts': 'export function second() {}\n',
  });
  const { code, stdout } = box.run(['map', '--yes', '--quiet']);
  assert.equal(code, 0);
  assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  assert.match(stdout, /src\/e<U\+001B>\[31mvil\.ts/);
  assert.doesNotMatch(stdout, /^#+ Owned/m);
});

test('the name alone says in five lines what it is and what to do', { skip: !has }, async () => {
  const { code, screen } = await atTerminal([]);
  assert.equal(code, 0);
  const lines = screen.trim().split(/\r?\n/);
  assert.equal(lines.length, 5, screen);
  for (const word of ['install', 'search', 'serve', 'help']) assert.ok(screen.includes(`sextant ${word}`), word);
});
