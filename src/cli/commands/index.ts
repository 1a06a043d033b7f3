/** Every command, in the order of help. A new one is a file beside this one and a line here. */
import type { Command } from '../command.ts';
import { completions } from './completions.ts';
import { doctor } from './doctor.ts';
import { evaluate } from './eval.ts';
import { exportChunks } from './export.ts';
import { grep } from './grep.ts';
import { help } from './help.ts';
import { indexProject } from './index-project.ts';
import { init } from './init.ts';
import { locate } from './locate.ts';
import { map } from './map.ts';
import { memoryForget, memoryList, memorySearch, memoryShow } from './memory.ts';
import { memoryEdit } from './memory-edit.ts';
import { memoryExport, memoryImport } from './memory-exchange.ts';
import { memorySessions } from './memory-sessions.ts';
import { read } from './read.ts';
import { refsDrop } from './refs-drop.ts';
import { refsGc } from './refs-gc.ts';
import { refsList } from './refs-list.ts';
import { remember } from './remember.ts';
import { research } from './research.ts';
import { search } from './search.ts';
import { serve } from './serve.ts';
import { serveMcp } from './serve-mcp.ts';
import { status } from './status.ts';
import { sync } from './sync.ts';
import { verify } from './verify.ts';
import { version } from './version.ts';

export const COMMANDS: readonly Command[] = [
  search,
  locate,
  research,
  map,
  grep,
  read,
  evaluate,
  remember,
  memoryList,
  memorySearch,
  memoryShow,
  memoryEdit,
  memoryForget,
  memorySessions,
  memoryExport,
  memoryImport,
  indexProject,
  sync,
  status,
  verify,
  refsList,
  refsDrop,
  refsGc,
  exportChunks,
  serve,
  serveMcp,
  init,
  doctor,
  completions,
  help,
  version,
];
