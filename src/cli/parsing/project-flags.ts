/** Flags that several commands share. */
import type { BooleanFlag, StringFlag } from './command.ts';

export const PATH_FLAG = {
  kind: 'string',
  value: 'PATH',
  completes: 'folder',
  help: 'Folder of the project (default: this folder)',
} as const satisfies StringFlag;

export const REF_FLAG = {
  kind: 'string',
  value: 'REF',
  help: 'Branch, tag or commit (default: the files as they are)',
} as const satisfies StringFlag;

export const YES_FLAG = {
  kind: 'boolean',
  short: 'y',
  help: 'Index the project first when it has no index, without asking',
} as const satisfies BooleanFlag;
