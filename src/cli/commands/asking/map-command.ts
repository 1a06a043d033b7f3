import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG, REF_FLAG, YES_FLAG } from '../../parsing/project-flags.ts';
import { printable } from '../../render/terminal-text.ts';
import { withIndex } from '../../running/index-first.ts';

export const map = defineCommand({
  name: 'map',
  group: 'ask',
  summary: 'Print a map of the project: modules, entry points, central files and symbols',
  operands: {},
  flags: {
    path: PATH_FLAG,
    ref: REF_FLAG,
    tokens: { kind: 'integer', value: 'N', min: 200, max: 100_000, help: 'Size of the map in tokens' },
    yes: YES_FLAG,
  },
  examples: [
    { line: 'sextant map', meaning: 'Markdown to read' },
    { line: 'sextant map --tokens 1500 > MAP.md', meaning: 'short, for a prompt' },
  ],
  async run({ flags }, session) {
    const path = flags.path ?? '.';
    const engine = await session.engine(path);
    const text = await withIndex(session, path, { yes: flags.yes, ref: flags.ref }, () =>
      engine.map(path, {
        ...(flags.tokens === undefined ? {} : { maxTokens: flags.tokens }),
        ...(flags.ref === undefined ? {} : { ref: flags.ref }),
      }),
    );
    session.terminal.out.write(`${printable(text.trimEnd())}\n`);
  },
});
