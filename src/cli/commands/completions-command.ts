import { defineCommand } from '../parsing/command.ts';
import { completionScript, SHELLS, type Shell } from '../parsing/completions.ts';

export const completions = defineCommand({
  name: 'completions',
  group: 'setup',
  summary: 'Print a completion script for a shell',
  operands: { shell: { value: 'SHELL', required: true, choices: SHELLS, help: 'The shell' } },
  flags: {},
  examples: [
    { line: 'source <(sextant completions bash)', meaning: 'in ~/.bashrc' },
    { line: 'sextant completions zsh > ~/.zfunc/_sextant', meaning: 'in a folder of $fpath' },
    { line: 'sextant completions fish > ~/.config/fish/completions/sextant.fish', meaning: 'for fish' },
  ],
  async run({ operands }, session) {
    session.terminal.out.write(completionScript(operands.shell as Shell, session.commands));
  },
});
