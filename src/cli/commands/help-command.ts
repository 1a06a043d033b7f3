import { defineCommand } from '../parsing/command.ts';
import { commandHelp, configurationHelp, overviewHelp } from '../parsing/help.ts';
import { parseLine } from '../parsing/parse-arguments.ts';

export const help = defineCommand({
  name: 'help',
  group: 'setup',
  summary: 'Show help for Sextant or for one command',
  operands: { command: { value: 'COMMAND', rest: true, completes: 'command', help: 'A command, or `configuration`' } },
  flags: {},
  examples: [
    { line: 'sextant help', meaning: 'all commands' },
    { line: 'sextant help search', meaning: 'one command' },
    { line: 'sextant help configuration', meaning: 'settings, their files and environment variables' },
  ],
  async run({ operands }, session) {
    const { out } = session.terminal;
    if (operands.command === 'configuration') {
      out.write(configurationHelp(session.dataFolder, out.style));
      return;
    }
    const topic = operands.command?.split(' ') ?? [];
    // With `--help`, the parser does not require the command's arguments; an unknown command is still an error.
    const { command, prefix } = parseLine([...topic, '--help'], session.commands);
    if (topic.length > 0 && !command && !prefix) parseLine(topic, session.commands);
    out.write(command ? commandHelp(command, out.style) : overviewHelp(session.commands, out.style, prefix));
  },
});
