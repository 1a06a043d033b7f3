/** Flags and help that `install` and `uninstall` share; the editing itself is loaded when one of them runs. */
import type { ListFlag, StringFlag } from '../../parsing/command.ts';

/** Repeated here because the agent records are loaded late; a test compares the two lists. */
export const AGENT_NAMES = [
  'claude-code',
  'claude-desktop',
  'codex',
  'cursor',
  'vscode',
  'copilot-cli',
  'windsurf',
  'zed',
  'gemini-cli',
  'opencode',
  'cline',
  'cline-cli',
  'roo-code',
  'kilo-code',
  'continue',
  'jetbrains',
  'amp',
  'goose',
  'qwen-code',
] as const;

export const AGENT_FLAG = {
  kind: 'list',
  value: 'NAME',
  commas: true,
  choices: AGENT_NAMES,
  help: 'Only these agents (default: those that are found on this machine)',
} as const satisfies ListFlag;

export const SCOPE_FLAG = {
  kind: 'string',
  value: 'SCOPE',
  choices: ['user', 'project'],
  help: 'The user’s configuration, or that of the project in this folder (default: user)',
} as const satisfies StringFlag;

export const CHANGE_FIELDS = [
  { field: 'changes[].agent', meaning: 'the agent' },
  { field: 'changes[].file', meaning: 'the file' },
  {
    field: 'changes[].action',
    meaning: '`add`, `update`, `remove` (the entry), `restore` (the file as it was), `none` or `failed`',
  },
  { field: 'changes[].problem', meaning: 'why it failed, or null' },
  { field: 'written', meaning: 'whether files were changed' },
];
