import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG, REF_FLAG } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printReport } from '../../render/output.ts';
import { INDEX_FIELDS, indexReportJson, indexWithProgress, renderIndexReport } from '../../running/index-first.ts';

export const indexProject = defineCommand({
  name: 'index',
  group: 'index',
  summary: 'Index a project, or bring its index up to date',
  details:
    'Only what changed since the last run is read. The index lives in the data folder; the project itself is not ' +
    'written to. A run that is stopped keeps its finished work.',
  operands: { folder: { value: 'PATH', completes: 'folder', help: 'Folder of the project (the same as --path)' } },
  flags: {
    force: { kind: 'boolean', help: 'Read every file again' },
    path: PATH_FLAG,
    ref: { ...REF_FLAG, help: 'Index this branch, tag or commit from git, without a checkout' },
    tests: { kind: 'boolean', negatable: true, help: 'Index test code (default: yes)' },
    vendor: { kind: 'boolean', negatable: true, help: 'Index vendored code (default: no)' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant index', meaning: 'the project in this folder' },
    { line: 'sextant index --path ~/code/shop', meaning: 'another one' },
    { line: 'sextant index --ref v2.1.0', meaning: 'a tag, without checking it out' },
    { line: 'sextant index --force', meaning: 'from scratch' },
  ],
  json: INDEX_FIELDS,
  async run({ flags, operands }, session) {
    const report = await indexWithProgress(session, flags.path ?? operands.folder ?? '.', {
      force: flags.force ?? false,
      ...(flags.ref === undefined ? {} : { ref: flags.ref }),
      ...(flags.tests === undefined ? {} : { includeTests: flags.tests }),
      ...(flags.vendor === undefined ? {} : { includeVendor: flags.vendor }),
    });
    await printReport(session, flags.format, indexReportJson(report), (screen) =>
      renderIndexReport(report, screen, session.verbose),
    );
    if (report.vectorError) throw report.vectorError;
  },
});
