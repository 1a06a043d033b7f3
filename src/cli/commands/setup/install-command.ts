import { defineCommand } from '../../parsing/command.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { AGENT_FLAG, CHANGE_FIELDS, SCOPE_FLAG } from './install-flags.ts';

export const install = defineCommand({
  name: 'install',
  group: 'setup',
  summary: 'Connect the agents on this machine to Sextant',
  details:
    'Finds agents by their folders and commands, and adds an entry to each agent’s MCP configuration file. ' +
    'Changes are shown first, and confirmed in a terminal; comments, order, indentation and everything else in ' +
    'the file stay unchanged. The previous state is saved in the data folder, so that `sextant uninstall` ' +
    'restores it byte for byte. The agent starts Sextant itself; with --http it connects to the running `sextant ' +
    'serve`.',
  operands: {},
  flags: {
    agent: AGENT_FLAG,
    scope: SCOPE_FLAG,
    'dry-run': { kind: 'boolean', help: 'Show what would change and write nothing' },
    print: { kind: 'boolean', help: 'Print the entries to paste, without reading any file' },
    http: { kind: 'boolean', help: 'Connect to `sextant serve` on this machine, with its token' },
    instructions: {
      kind: 'boolean',
      help: 'Tell agents when to use Sextant: add a block to AGENTS.md, CLAUDE.md and .cursor/rules of this folder',
    },
    yes: { kind: 'boolean', short: 'y', help: 'Write without asking' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant install', meaning: 'every agent that is found' },
    { line: 'sextant install --agent claude-code,cursor --dry-run', meaning: 'what would change for two of them' },
    { line: 'sextant install --agent vscode --scope project', meaning: 'for everyone who works on this project' },
    { line: 'sextant install --print --agent zed', meaning: 'the entry, to paste it' },
  ],
  json: CHANGE_FIELDS,
  async run({ flags }, session) {
    const [{ planInstall }, choose, { applyAgreed, changesJson, planEach, showPlan }] = await Promise.all([
      import('../../install/install-plan.ts'),
      import('./install-targets.ts'),
      import('./show-changes.ts'),
    ]);
    const scope = flags.scope ?? 'user';
    const reach = flags.http ? await choose.httpReach(session, scope) : choose.stdioReach(session, scope);
    const agents = choose.namedAgents(session, flags.agent);
    const targets = choose.targetsOf(session, agents, { scope, reach, isNamed: flags.agent !== undefined });
    if (flags.print) {
      for (const { title, file, format, path, value } of targets)
        session.terminal.out.write(`# ${title}: ${printableLine(file)}\n${format.set('', path, value)}\n`);
      return;
    }
    const all = [...targets, ...(flags.instructions ? choose.instructionTargets(session) : [])];
    const planned = planEach(all, planInstall);
    const asData = flags.format === 'json' || flags.format === 'toon';
    if (!asData) showPlan(session, planned);
    const written = flags['dry-run'] ? false : await applyAgreed(session, planned, flags.yes ?? false);
    if (asData) await printAnswer(session, flags.format, changesJson(planned, written), () => []);
    else if (written) {
      session.say(
        `Connected. The previous state is saved in ${choose.receiptsOf(session)}; \`sextant uninstall\` restores it.`,
      );
      for (const note of new Set(targets.flatMap((target) => target.note ?? []))) session.say(note);
    }
    return planned.some(({ problem }) => problem !== null) ? 1 : 0;
  },
});
