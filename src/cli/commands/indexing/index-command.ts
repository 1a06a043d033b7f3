import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG, REF_FLAG } from '../../parsing/project-flags.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import { FORMAT_FLAG, printReport } from '../../render/output.ts';
import { INDEX_FIELDS, indexReportJson, indexWithProgress, renderIndexReport } from '../../running/index-first.ts';

export const indexProject = defineCommand({
  name: 'index',
  group: 'index',
  summary: 'Index a project, or bring its index up to date',
  details:
    'Only what changed since the last run is read. The index lives in the data folder; the project itself is not ' +
    'written to. A run that is stopped keeps its finished work. With --fleet, contents that a node of a fleet ' +
    'has derived are asked for by their ids and taken over; nothing is sent but ids.',
  operands: { folder: { value: 'PATH', completes: 'folder', help: 'Folder of the project (the same as --path)' } },
  flags: {
    force: { kind: 'boolean', help: 'Read every file again' },
    fleet: { kind: 'string', value: 'URL', help: 'Take what a node of a fleet has derived of these files' },
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
    { line: 'sextant index --fleet https://code.acme.example', meaning: 'with what the team derived already' },
    { line: 'sextant index --force', meaning: 'from scratch' },
  ],
  json: INDEX_FIELDS,
  async run({ flags, operands }, session) {
    const path = flags.path ?? operands.folder ?? '.';
    if (flags.fleet !== undefined && !URL.canParse(flags.fleet))
      throw new UsageError(`${flags.fleet} is no URL.`, 'Pass the address of a node: https://code.acme.example.');
    const headStart =
      flags.fleet === undefined
        ? {}
        : { headStart: await session.outside.headStart(await session.settings(path), flags.fleet) };
    const report = await indexWithProgress(session, path, {
      ...headStart,
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
