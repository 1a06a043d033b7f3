/**
 * `npm run bench:tasks -- --repos DIR [--home DIR] [--write]`: everyday tasks of a coding agent, done twice: by ripgrep
 * and reading, and by the tools of the default profile over MCP. Each way is a recorded list of steps (tasks.json) that
 * is run for real until every fact of the answer, a path and a name, is on screen. Counts the tokens of calls and
 * answers. DIR holds the repositories of bench/questions at the revisions named there.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { withTaskSection } from './section.ts';
import { type AgentTask, type Done, doByRipgrep, doBySextant, openSextant, tokensOf } from './ways.ts';

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: { repos: { type: 'string' }, home: { type: 'string' }, write: { type: 'boolean', default: false } },
});
if (values.repos === undefined) throw new Error('--repos DIR is needed: a folder with a checkout of each repository');
const repos = values.repos;
const home = values.home ?? mkdtempSync(join(tmpdir(), 'sextant-tasks-'));
const tasks = JSON.parse(readFileSync(join(here, 'tasks.json'), 'utf8')) as AgentTask[];

interface Row {
  readonly task: AgentTask;
  readonly ripgrep: Done;
  readonly structured: Done;
  readonly text: Done;
}

const rows: Row[] = [];
let listTokens = 0;
try {
  for (const repo of new Set(tasks.map((task) => task.repo))) {
    const folder = join(repos, repo);
    const { client, close } = await openSextant(folder, home);
    listTokens = tokensOf(JSON.stringify(await client.listTools())) + tokensOf(client.getInstructions() ?? '');
    for (const task of tasks.filter((each) => each.repo === repo)) {
      const structured = await doBySextant(task, client, 'structured');
      const text = await doBySextant(task, client, 'text');
      rows.push({ task, ripgrep: await doByRipgrep(task, folder), structured, text });
    }
    await close();
  }
} finally {
  if (values.home === undefined) rmSync(home, { recursive: true, force: true });
}

const sum = (of: (row: Row) => Done) => rows.reduce((total, row) => total + of(row).tokens, 0);
const judged = (of: (row: Row) => Done) => rows.filter((row) => of(row).missing.length === 0).length;
const ripgrep = sum((row) => row.ripgrep);
const line = (name: string, of: (row: Row) => Done, more = 0) => {
  const total = sum(of) + more;
  return `| ${name} | ${total.toLocaleString('en')} | ${(total / ripgrep).toFixed(2)} | ${judged(of)} of ${rows.length} |`;
};
const table = [
  '| way | tokens | of ripgrep | answers with every fact |',
  '|---|---|---|---|',
  line('ripgrep and reading', (row) => row.ripgrep),
  line('Sextant, a client that shows `structuredContent`', (row) => row.structured),
  line('Sextant, a client that shows the text', (row) => row.text),
  line('Sextant, `structuredContent`, with tool list and instructions once', (row) => row.structured, listTokens),
];
for (const { task, ripgrep: by, structured, text } of rows) {
  const steps = `${by.steps} steps ${by.tokens}, Sextant ${structured.steps} steps ${structured.tokens} (text ${text.tokens})`;
  console.log(`${task.repo} ${task.kind}: ${task.task}\n  ripgrep ${steps}`);
  for (const [name, { missing }] of Object.entries({ ripgrep: by, structured, text }))
    if (missing.length > 0) console.log(`  ${name} lacks ${missing.join(', ')}`);
}
console.log(`\n${table.join('\n')}`);
if (values.write) {
  const file = join(here, '../../docs/quality.md');
  writeFileSync(file, withTaskSection(readFileSync(file, 'utf8'), table.join('\n')));
}
