import type { IndexReport } from '../../../engine/engine.ts';
import { toEngineError } from '../../../model/records/engine-errors.ts';
import { parseScope } from '../../../model/records/scope.ts';
import type { Format } from '../../parsing/choices.ts';
import { defineCommand } from '../../parsing/command.ts';
import { WORKSPACE_FLAG } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printReport } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import type { Session } from '../../running/command-session.ts';
import { namedTarget } from '../../running/command-target.ts';
import {
  INDEX_FIELDS,
  indexReportJson,
  indexWithProgress,
  renderIndexReport,
  summaryLine,
} from '../../running/index-first.ts';

export const sync = defineCommand({
  name: 'sync',
  group: 'index',
  summary: 'Bring the index up to date with the files on disk',
  details:
    'With a workspace, each of its repositories is updated; in JSON, `repositories` has an answer for each, with ' +
    'its `name`.',
  operands: {},
  flags: {
    force: { kind: 'boolean', help: 'Read every file again' },
    workspace: { ...WORKSPACE_FLAG, help: 'Workspace or folder to update (default: this folder)' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant sync', meaning: 'after a pull or an edit' },
    { line: 'sextant sync --workspace ~/code/shop --quiet', meaning: 'from a git hook' },
  ],
  json: INDEX_FIELDS,
  async run({ flags }, session) {
    const options = { force: flags.force ?? false, enclosing: true };
    const place = flags.workspace === undefined ? '.' : namedTarget(session, flags.workspace);
    if (parseScope(place)) return syncAll(session, place, flags);
    const report = await indexWithProgress(session, place, options);
    await printReport(session, flags.format, indexReportJson(report), (screen) =>
      renderIndexReport(report, screen, session.verbose),
    );
    if (report.vectorError) throw report.vectorError;
  },
});

/** Updates the repositories of a workspace one after another. A failure is reported after the others are up to date. */
async function syncAll(
  session: Session,
  scope: string,
  flags: { readonly force?: boolean | undefined; readonly format: Format | undefined },
): Promise<void> {
  const reports: { readonly name: string; readonly report: IndexReport }[] = [];
  const failures: unknown[] = [];
  for (const { name, root } of await (await session.engine(scope)).members(scope)) {
    try {
      reports.push({ name, report: await indexWithProgress(session, root, { force: flags.force ?? false }) });
    } catch (thrown) {
      if (session.signal.aborted) throw thrown;
      failures.push(thrown);
      session.say(printableLine(`${name}: ${toEngineError(thrown).message}`));
    }
  }
  const data = { repositories: reports.map(({ name, report }) => ({ name, ...indexReportJson(report) })) };
  await printReport(session, flags.format, data, () =>
    reports.map(({ name, report }) => printableLine(`${name}: ${summaryLine(report)}`)),
  );
  if (failures.length > 0) throw failures[0];
  const [incomplete] = reports.flatMap(({ report }) => report.vectorError ?? []);
  if (incomplete) throw incomplete;
}
