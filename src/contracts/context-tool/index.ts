/**
 * The context-tool contract: team knowledge, files and exact text of one project; errors are JSON text with a fallback.
 * Owns its rate limits, path rules and call log. Settings: `context-tool.rateLimits`, calls per minute by tool, 0 for
 * no limit; `context-tool.logCalls`, whether every call is logged without --verbose.
 */
import { type CreateProfile, ToolRegistry } from '../contract.ts';
import { ICON_PATHS, pathIcon } from '../kit/icons.ts';
import { countUnits } from '../kit/json-schema.ts';
import { logged, loggedErrors } from './call-log.ts';
import { contextSearch, remember } from './context-search-tool.ts';
import { contextToolErrors } from './context-tool-errors.ts';
import { grepCodebase, readFile } from './file-tools.ts';
import { RateLimiter, readRateLimits } from './rate-limits.ts';

const INSTRUCTIONS = `Context of one project: what is known about it, its files, exact text.
- context_search: why something is as it is, which rules and patterns hold, known issues; code too. Ask it first, in \
plain words. Narrow with type (pattern, rule, decision, issue) and module. files of a result can be read. An id as \
query gives that discovery.
- read_file: a file by its path relative to the project root. includeDeps: true adds the files it imports: contents \
while they fit, then outlines, then names. Environment files, .git, node_modules and files over 1 MB are not read.
- grep_codebase: exact text or a regular expression; also when context_search has no answer. totalMatches counts \
beyond limit: narrow with filePattern.
- remember: record a pattern, rule, decision or issue worth knowing next time; one discovery a call, no secrets.
A refusal is JSON with "error", often with "fallback" or "suggestion": what to do instead. Rate limits are a minute \
long; "retryAfter" says how many seconds to wait.`;

export const createProfile: CreateProfile = ({ version, settings }) => {
  const own = settings?.['context-tool'] as { readonly rateLimits?: unknown; readonly logCalls?: unknown } | undefined;
  const level = own?.logCalls === true ? 'notice' : 'info';
  const limiter = new RateLimiter(readRateLimits(own?.rateLimits));
  return {
    name: 'context-tool',
    serverInfo: { name: 'context-tool', title: 'Context Tool', version, icons: pathIcon(ICON_PATHS.docs) },
    instructions: INSTRUCTIONS,
    tools: new ToolRegistry([contextSearch, readFile, grepCodebase, remember].map((tool) => logged(tool, level))),
    errors: loggedErrors(contextToolErrors, level),
    // Counts lengths as zod does, because the contract's schemas are zod schemas.
    lengthOf: countUnits,
    admit: (tool, ctx) => limiter.admit(tool.name, ctx.session),
  };
};
