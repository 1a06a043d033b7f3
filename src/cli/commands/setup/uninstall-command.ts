import { defineCommand } from '../../parsing/command.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { AGENT_FLAG, CHANGE_FIELDS, SCOPE_FLAG } from './install-flags.ts';

export const uninstall = defineCommand({
  name: 'uninstall',
  group: 'setup',
  summary: 'Remove Sextant from the configuration of agents',
  details:
    'A file that has not changed since `sextant install` gets its previous bytes back, or is deleted if there was ' +
    'none. From a file that was edited since, only the entry is removed. Indexes and memory stay.',
  operands: {},
  flags: {
    agent: { ...AGENT_FLAG, help: 'Only these agents (default: all)' },
    scope: SCOPE_FLAG,
    'dry-run': { kind: 'boolean', help: 'Show what would change and write nothing' },
    instructions: { kind: 'boolean', help: 'Also remove the block from AGENTS.md, CLAUDE.md and .cursor/rules' },
    yes: { kind: 'boolean', short: 'y', help: 'Write without asking' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant uninstall', meaning: 'from every agent' },
    { line: 'sextant uninstall --agent cursor --yes', meaning: 'from one, without a question' },
  ],
  json: CHANGE_FIELDS,
  async run({ flags }, session) {
    const [{ planUninstall }, { AGENTS }, choose, { applyAgreed, changesJson, planEach, showPlan }] = await Promise.all(
      [
        import('../../install/install-plan.ts'),
        import('../../install/agents.ts'),
        import('./install-targets.ts'),
        import('./show-changes.ts'),
      ],
    );
    const scope = flags.scope ?? 'user';
    const agents = AGENTS.filter(({ id }) => flags.agent === undefined || flags.agent.includes(id));
    const isNamed = flags.agent !== undefined;
    const targets = choose.targetsOf(session, agents, { scope, reach: choose.stdioReach(session, scope), isNamed });
    const all = [...targets, ...(flags.instructions ? choose.instructionTargets(session) : [])];
    const planned = planEach(all, (target) => planUninstall(target, choose.receiptsOf(session))).filter(
      ({ change, problem }) => isNamed || problem !== null || change!.action !== 'none',
    );
    const asData = flags.format === 'json' || flags.format === 'toon';
    if (!asData) showPlan(session, planned);
    if (!asData && planned.length === 0) session.say('No agent is connected.');
    const written = flags['dry-run'] ? false : await applyAgreed(session, planned, flags.yes ?? false);
    if (asData) await printAnswer(session, flags.format, changesJson(planned, written), () => []);
    else if (written) session.say('Disconnected.');
    return planned.some(({ problem }) => problem !== null) ? 1 : 0;
  },
});
