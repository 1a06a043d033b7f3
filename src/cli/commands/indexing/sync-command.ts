import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printReport } from '../../render/output.ts';
import { INDEX_FIELDS, indexReportJson, indexWithProgress, renderIndexReport } from '../../running/index-first.ts';

export const sync = defineCommand({
  name: 'sync',
  group: 'index',
  summary: 'Bring the index up to date with the files as they are',
  operands: {},
  flags: {
    force: { kind: 'boolean', help: 'Read every file again' },
    workspace: PATH_FLAG,
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant sync', meaning: 'after a pull or an edit' },
    { line: 'sextant sync --workspace ~/code/shop --quiet', meaning: 'from a git hook' },
  ],
  json: INDEX_FIELDS,
  async run({ flags }, session) {
    const options = { force: flags.force ?? false, enclosing: true };
    const report = await indexWithProgress(session, flags.workspace ?? '.', options);
    await printReport(session, flags.format, indexReportJson(report), (screen) =>
      renderIndexReport(report, screen, session.verbose),
    );
    if (report.vectorError) throw report.vectorError;
  },
});
