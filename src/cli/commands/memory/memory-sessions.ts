/** The command `sextant memory sessions`: queries, reads and records of agents. */
import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { plural } from '../../render/units.ts';

export const memorySessions = defineCommand({
  name: 'memory sessions',
  group: 'memory',
  summary: 'List the sessions of agents, the latest first',
  details: 'Each MCP connection is a session. Questions that contain a secret are not stored.',
  operands: {},
  flags: {
    path: PATH_FLAG,
    limit: { kind: 'integer', value: 'N', min: 1, max: 1000, help: 'Number of sessions' },
    format: FORMAT_FLAG,
  },
  examples: [{ line: 'sextant memory sessions', meaning: 'who worked on what' }],
  json: [
    { field: 'sessions[].id', meaning: 'its id' },
    { field: 'sessions[].started_ms', meaning: 'milliseconds since 1970' },
    { field: 'sessions[].last_ms', meaning: 'last use' },
    { field: 'sessions[].queries[]', meaning: 'questions, the latest last' },
    { field: 'sessions[].reads[].path', meaning: 'a file that was read' },
    { field: 'sessions[].reads[].count', meaning: 'how often' },
    { field: 'sessions[].discoveries[]', meaning: 'ids of what it recorded' },
  ],
  async run({ flags }, session) {
    const path = flags.path ?? '.';
    const engine = await session.engine(path);
    const found = (await engine.sessions(path)).slice(0, flags.limit ?? 20);
    const data = {
      sessions: found.map(({ id, startedMs, lastMs, queries, reads, discoveries }) => ({
        id,
        started_ms: startedMs,
        last_ms: lastMs,
        queries,
        reads: Object.entries(reads).map(([file, count]) => ({ path: file, count })),
        discoveries,
      })),
    };
    await printAnswer(session, flags.format, data, ({ style }) =>
      found.length === 0
        ? ['No session of an agent yet.']
        : found.flatMap(({ id, lastMs, queries, reads, discoveries }) => [
            `${style.cyan(id)} ${style.grey(
              `${new Date(lastMs).toISOString().slice(0, 16).replace('T', ' ')} · ` +
                `${plural(queries.length, 'question')} · ${plural(Object.keys(reads).length, 'file')} · ` +
                `${plural(discoveries.length, 'discovery', 'discoveries')}`,
            )}`,
            ...queries.slice(-3).map((query) => `  ${printableLine(query)}`),
          ]),
    );
  },
});
