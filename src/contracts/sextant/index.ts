/**
 * The default profile: tools for everything the engine can do, with short descriptions. Paths are optional if the
 * server or the client knows the project; every error has a code and a next step; every answer fits a token budget.
 */
import { type CreateProfile, ToolRegistry } from '../contract.ts';
import { ICON_PATHS, pathIcon } from '../kit/icons.ts';
import { complete, PROMPTS } from './prompts.ts';
import { createResources, MAP_URI, STATUS_URI } from './resources.ts';
import { sextantErrors } from './sextant-errors.ts';
import { impact } from './tools/impact-tool.ts';
import { getStatus, indexCodebase } from './tools/index-tools.ts';
import { locateSymbol } from './tools/locate-tool.ts';
import { contextSearch, remember } from './tools/memory-tools.ts';
import { codeResearch, readFile } from './tools/reading-tools.ts';
import { grepCodebase, searchCode, searchDocs } from './tools/search-tools.ts';

const INSTRUCTIONS = `Sextant knows this repository: code, documentation, call graph, decisions. Ask it before reading \
files or grepping; answers are ranked, quoted with path and lines, and fit a token budget (max_tokens).

Which tool:
- Do not know where something is -> search_code. A question, a symbol, a path or an error message all work. Narrow \
with path_filter (glob) and filters, such as {"languages":["go"],"kinds":["method"]}.
- Know the name -> locate_symbol; detail: true gives source, callers, callees, implementers and tests in one call.
- Who calls / implements / depends on / tests / how does A reach B -> code_research.
- A change, made or planned -> impact: dependants, tests to run.
- Guides, README, how-to -> search_docs. Why is it so, which rules apply -> context_search.
- Exact text or a regular expression -> grep_codebase. The whole file or its outline -> read_file (outline: true first \
for long files).
- Learned a decision, a rule, a trap -> remember, with evidence such as "src/auth.ts:10-20".

Habits:
- "not_indexed": call index_codebase once, then repeat. get_status tells what is indexed and how fresh it is.
- "Nothing matches" is meant: try nearest_names, other words or grep_codebase.
- "not_yet_indexed" lists files newer than the index: read them directly or call index_codebase.
- id of a result can be passed to locate_symbol as name, of a discovery to context_search as query. Ambiguous callers \
are marked, never guessed.
- path is the project folder, or one inside it to look there only. ref asks another branch, tag or commit that is \
indexed. repos asks these repositories as one.
- Answers are short: the likely results quoted around what matched, the others a line each (also). read_file with the \
lines shows a place whole. limit lists that many; max_tokens fills that room with code, evidence and edges.`;

interface SextantSettings {
  /** A project configuration that is ignored until its owner trusts it. */
  readonly ignoredFile?: string | null;
  readonly viewFile?: string | null;
}

export const createProfile: CreateProfile = ({ version, workspace, engine, settings }) => {
  const own = settings?.sextant as SextantSettings | undefined;
  const listeners = new Map<string, Set<() => void>>();
  const indexed = () => {
    for (const uri of [STATUS_URI, MAP_URI]) for (const changed of listeners.get(uri) ?? []) changed();
  };
  const subscribe = (uri: string, changed: () => void) => {
    const known = listeners.get(uri) ?? new Set();
    listeners.set(uri, known.add(changed));
    follow();
    return () => {
      known.delete(changed);
      if ([...listeners.values()].every(({ size }) => size === 0)) unfollow();
    };
  };
  // Clients are notified of changes that the server's watcher finds; without a watcher, of runs of index_codebase.
  let watch: Promise<(() => Promise<void>) | undefined> | undefined;
  const follow = () => {
    if (workspace === null) return;
    watch ??= engine()
      .then((opened) => opened.watch(workspace, indexed))
      .catch(() => undefined);
  };
  const unfollow = () => {
    void watch?.then((stop) => stop?.());
    watch = undefined;
  };
  return {
    name: 'sextant',
    serverInfo: {
      name: 'sextant',
      title: 'Sextant',
      version,
      description: 'Code context engine: search, structure and memory of a repository',
      icons: pathIcon(ICON_PATHS.sextant),
    },
    instructions: INSTRUCTIONS,
    tools: new ToolRegistry([
      searchCode,
      searchDocs,
      locateSymbol,
      codeResearch,
      impact,
      readFile,
      grepCodebase,
      contextSearch,
      remember,
      indexCodebase(indexed),
      getStatus(own?.ignoredFile ?? null),
    ]),
    errors: sextantErrors,
    resources: createResources(subscribe, own?.viewFile ?? null),
    prompts: PROMPTS,
    complete,
  };
};
