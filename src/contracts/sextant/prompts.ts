/** Prompts for people: each names the tools to use and includes what the index already has. */
import { quoteText } from '../../model/untrusted/quoted-text.ts';
import type { CallContext, CompletionRequest, PromptRecord } from '../contract.ts';
import { project } from './tools/tool-kit.ts';

const MAP_TOKENS = 1500;

export const PROMPTS: readonly PromptRecord[] = [
  {
    name: 'explain_module',
    title: 'Explain a module',
    description: 'What a folder, file or module does and how it hangs together',
    arguments: [{ name: 'module', description: 'Folder, file or module name', required: true }],
    get: async ({ module }, ctx) =>
      userMessage(
        `Explain the module "${module}" of this project to an engineer who will change it.
1. search_code with query "${module}" and path_filter "**/${module}/**" (or the file itself) for its main types and \
entry points.
2. code_research "what depends on ${module}" with focus dependencies, and "what does ${module} call" with focus flow.
3. context_search for decisions and rules about it.
Then write: its purpose in two sentences; its parts with file:line; how data flows through it; what must not be \
broken; where to look first for common changes. Cite file:line for every claim.${await quotedMap(ctx)}`,
      ),
  },
  {
    name: 'review_change',
    title: 'Review a change',
    description: 'Who is affected by a change and what to check',
    arguments: [{ name: 'path', description: 'Changed file or folder', required: true }],
    get: async ({ path }, ctx) =>
      userMessage(
        `Review the change in "${path}".
1. read_file with dependants: true for the changed file, outline: true if it is long.
2. locate_symbol with detail: true for each changed function or type: callers, implementers, tests.
3. context_search for rules and decisions that apply; grep_codebase for names that were removed.
Report, in this order: what could break and where (file:line), missing tests, broken rules of the project, smaller \
remarks. Say so when a caller is ambiguous.${await quotedMap(ctx)}`,
      ),
  },
  {
    name: 'onboard',
    title: 'Get to know this project',
    description: 'A first tour of the repository',
    get: async (_args, ctx) =>
      userMessage(
        'Give me a tour of this project: what it is for, its main modules and how they depend on one another, ' +
          'where execution starts, how to run and test it, and the five files to read first. Use search_docs for ' +
          'README and guides, code_research with focus architecture, context_search for decisions, and cite ' +
          `file:line.${await quotedMap(ctx)}`,
      ),
  },
];

function userMessage(text: string) {
  return [{ role: 'user' as const, content: { type: 'text' as const, text } }];
}

/** Quotes the repository map if there is one; the prompt works without it. */
async function quotedMap(ctx: CallContext): Promise<string> {
  try {
    const map = await ctx.engine.map(await project(undefined, ctx), { maxTokens: MAP_TOKENS });
    return `\n\n${quoteText(map, 'map of the repository')}`;
  } catch {
    return '';
  }
}

/** Completes paths for files, folders and modules, and names for symbols. */
export async function complete(
  { ref, argument, value }: CompletionRequest,
  ctx: CallContext,
): Promise<readonly string[]> {
  const folder = await project(undefined, ctx);
  if (argument === 'name') {
    if (value === '') return [];
    const { symbols } = await ctx.engine.locate(folder, { name: value, limit: 50 });
    return [...new Set(symbols.map((symbol) => symbol.name))];
  }
  const paths = await ctx.engine.findPaths(folder, value, 500);
  if (ref.kind === 'resource') return paths;
  if (argument !== 'module') return paths;
  return [
    ...new Set(paths.map((path) => path.split('/').slice(0, -1).join('/')).filter((path) => path.includes(value))),
  ];
}
