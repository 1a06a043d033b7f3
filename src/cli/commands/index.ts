/** Every command, in the order of the help page. A new command is a file in this folder and a line here. */
import type { Command } from '../parsing/command.ts';
import { evaluate } from './asking/eval-command.ts';
import { grep } from './asking/grep-command.ts';
import { history } from './asking/history-command.ts';
import { impact } from './asking/impact-command.ts';
import { locate } from './asking/locate-command.ts';
import { map } from './asking/map-command.ts';
import { read } from './asking/read-command.ts';
import { research } from './asking/research-command.ts';
import { search } from './asking/search-command.ts';
import { completions } from './completions-command.ts';
import { fleetAdd } from './fleet/fleet-add.ts';
import { fleetClean } from './fleet/fleet-clean.ts';
import { fleetIndex } from './fleet/fleet-index.ts';
import { fleetInit } from './fleet/fleet-init.ts';
import { fleetRemove } from './fleet/fleet-remove.ts';
import { fleetServe } from './fleet/fleet-serve.ts';
import { fleetStatus } from './fleet/fleet-status.ts';
import { help } from './help-command.ts';
import { doctor } from './indexing/doctor-command.ts';
import { exportChunks } from './indexing/export-command.ts';
import { indexProject } from './indexing/index-command.ts';
import { init } from './indexing/init-command.ts';
import { refsDrop } from './indexing/refs-drop.ts';
import { refsGc } from './indexing/refs-gc.ts';
import { refsList } from './indexing/refs-list.ts';
import { status } from './indexing/status-command.ts';
import { sync } from './indexing/sync-command.ts';
import { verify } from './indexing/verify-command.ts';
import { memoryForget, memoryList, memorySearch, memoryShow } from './memory/memory-command.ts';
import { memoryEdit } from './memory/memory-edit.ts';
import { memoryExport, memoryImport } from './memory/memory-exchange.ts';
import { memorySessions } from './memory/memory-sessions.ts';
import { remember } from './memory/remember-command.ts';
import { projectsAdd, projectsList, projectsRemove } from './projects/projects-command.ts';
import { savings } from './serving/savings-command.ts';
import { serve } from './serving/serve-command.ts';
import { serveMcp } from './serving/serve-mcp.ts';
import { install } from './setup/install-command.ts';
import { uninstall } from './setup/uninstall-command.ts';
import { version } from './version-command.ts';
import {
  workspaceAdd,
  workspaceCreate,
  workspaceList,
  workspaceRemove,
  workspaceShow,
} from './workspaces/workspace-command.ts';

export const COMMANDS: readonly Command[] = [
  search,
  locate,
  research,
  impact,
  history,
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
  workspaceCreate,
  workspaceList,
  workspaceShow,
  workspaceAdd,
  workspaceRemove,
  projectsList,
  projectsAdd,
  projectsRemove,
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
  savings,
  fleetInit,
  fleetAdd,
  fleetClean,
  fleetIndex,
  fleetServe,
  fleetStatus,
  fleetRemove,
  install,
  uninstall,
  init,
  doctor,
  completions,
  help,
  version,
];
