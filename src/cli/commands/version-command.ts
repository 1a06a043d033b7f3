import { defineCommand } from '../parsing/command.ts';

export const version = defineCommand({
  name: 'version',
  group: 'setup',
  summary: 'Print the version',
  operands: {},
  flags: {},
  examples: [{ line: 'sextant version', meaning: 'the same as sextant --version' }],
  async run(_call, session) {
    session.terminal.out.write(`${session.version()}\n`);
  },
});
