import { loadMetrics } from '../../../contracts/kit/metrics/metrics-file.ts';
import { defineCommand } from '../../parsing/command.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { alignRows } from '../../render/terminal-text.ts';
import { count, plural } from '../../render/units.ts';

/** Estimated bytes per token, the same as in token budgets. */
const BYTES_PER_TOKEN = 3.5;

interface Row {
  readonly name: string;
  readonly servers: number;
  readonly calls: number;
  readonly given: number;
  readonly wholeFiles: number;
}

const ASSUMPTION = [
  'Assumption: without Sextant the agent would have read each file that an answer shows once in a session, whole.',
  'An agent that greps and reads parts of files needs less, one that opens wrong files first needs more.',
  `A token is taken as ${BYTES_PER_TOKEN} bytes. The list of tools, about 3,500 tokens a session, is not subtracted.`,
];

export const savings = defineCommand({
  name: 'savings',
  group: 'serve',
  summary: 'Show the tokens that agents were given, and what reading the files would have cost',
  details:
    'For each registered project and the last seven days: tool calls, tokens of their answers, and tokens of the ' +
    'whole files that the answers show, each counted once per session. For calls about several repositories, only ' +
    'the answers count.',
  operands: {},
  flags: { format: FORMAT_FLAG },
  examples: [{ line: 'sextant savings', meaning: 'the last seven days' }],
  json: [
    { field: 'projects[].name', meaning: 'name of a project' },
    { field: 'projects[].servers', meaning: 'connections of agents' },
    { field: 'projects[].calls', meaning: 'calls of tools' },
    { field: 'projects[].tokens_given', meaning: 'tokens of the answers' },
    { field: 'projects[].tokens_of_whole_files', meaning: 'tokens of the files that they show, once per session' },
    { field: 'assumption', meaning: 'assumption of the comparison' },
  ],
  async run({ flags }, session) {
    const { namedProjects } = await import('../../../engine/projects/project-names.ts');
    const { storeFolderOf } = await import('../../../engine/projects/project-registry.ts');
    const rows: Row[] = [];
    for (const { name, root } of namedProjects(session.dataFolder)) {
      const { servers, tools } = await loadMetrics(storeFolderOf(session.dataFolder, root) ?? '');
      const sum = (of: (tool: (typeof tools)[number]) => number) => tools.reduce((all, tool) => all + of(tool), 0);
      const [given, shown] = [sum((tool) => tool.resultBytes), sum((tool) => tool.shownBytes)].map(tokens);
      const calls = sum((tool) => tool.calls);
      if (calls > 0) rows.push({ name, servers, calls, given: given!, wholeFiles: shown! });
    }
    const data = {
      projects: rows.map(({ name, servers, calls, given, wholeFiles }) => ({
        name,
        servers,
        calls,
        tokens_given: given,
        tokens_of_whole_files: wholeFiles,
      })),
      assumption: ASSUMPTION.join(' '),
    };
    await printAnswer(session, flags.format, data, (screen) =>
      rows.length === 0
        ? ['No agent has asked anything in the last seven days.']
        : [
            ...alignRows([
              ['project', 'sessions', 'calls', 'tokens given', 'whole files'].map(screen.style.grey),
              ...rows.map((row) => [
                screen.style.bold(row.name),
                count(row.servers),
                count(row.calls),
                count(row.given),
                count(row.wholeFiles),
              ]),
            ]),
            summary(rows),
            ...ASSUMPTION.map(screen.style.grey),
          ],
    );
  },
});

function tokens(bytes: number): number {
  return Math.round(bytes / BYTES_PER_TOKEN);
}

function summary(rows: readonly Row[]): string {
  const given = rows.reduce((sum, row) => sum + row.given, 0);
  const whole = rows.reduce((sum, row) => sum + row.wholeFiles, 0);
  const difference = `${count(Math.abs(whole - given))} tokens ${whole >= given ? 'less' : 'more'}`;
  return `${plural(given, 'token')} given, ${difference} than the files that they show.`;
}
