import type { GiftReport } from '../../../fleet/give-contents.ts';
import { EngineError, toEngineError } from '../../../model/records/engine-errors.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG, REF_FLAG } from '../../parsing/project-flags.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import { FORMAT_FLAG, printReport } from '../../render/output.ts';
import { count, plural } from '../../render/units.ts';
import type { Session } from '../../running/command-session.ts';
import { INDEX_FIELDS, indexReportJson, indexWithProgress, renderIndexReport } from '../../running/index-first.ts';

export const indexProject = defineCommand({
  name: 'index',
  group: 'index',
  summary: 'Index a project, or bring its index up to date',
  details:
    'Reads only what changed since the last run. The index is in the data folder; nothing is written to the ' +
    'project. An interrupted run keeps its finished work. With --fleet, contents that a fleet node has derived ' +
    'are requested by their ids and reused; only ids are sent. With --give, the texts of indexed files that the ' +
    'fleet lacks are then sent to it, including uncommitted ones, except texts with a secret. The node derives ' +
    'them, for every caller that has the same file. Its operator decides who may give.',
  operands: { folder: { value: 'PATH', completes: 'folder', help: 'Folder of the project (the same as --path)' } },
  flags: {
    force: { kind: 'boolean', help: 'Read every file again' },
    fleet: { kind: 'string', value: 'URL', help: 'Reuse what a fleet node has derived from these files' },
    give: { kind: 'boolean', help: 'With --fleet: send the texts of files that the fleet lacks' },
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
    { line: 'sextant index --fleet https://code.acme.example --give', meaning: 'and give back what the team lacks' },
    { line: 'sextant index --force', meaning: 'from scratch' },
  ],
  json: [
    ...INDEX_FIELDS,
    { field: 'contents_given', meaning: 'contents that were new to the fleet; null without --give' },
    {
      field: 'contents_withheld',
      meaning: 'contents that the fleet lacks and that were withheld; null without --give',
    },
  ],
  async run({ flags, operands }, session) {
    const path = flags.path ?? operands.folder ?? '.';
    if (flags.fleet !== undefined && !URL.canParse(flags.fleet))
      throw new UsageError(`${flags.fleet} is no URL.`, 'Pass the address of a node: https://code.acme.example.');
    if (flags.give && flags.fleet === undefined)
      throw new UsageError('--give needs --fleet.', 'Pass the address of a node: --fleet https://code.acme.example.');
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
    const gift = flags.give ? await giveContents(session, path, flags.ref, flags.fleet!) : null;
    // JSON output is one document: print the error instead of the report.
    if (gift instanceof EngineError && flags.format === 'json') throw gift;
    const isGift = gift !== null && !(gift instanceof EngineError);
    const data = {
      ...indexReportJson(report),
      contents_given: isGift ? gift.given : null,
      contents_withheld: isGift ? gift.withheld : null,
    };
    await printReport(session, flags.format, data, (screen) => [
      ...renderIndexReport(report, screen, session.verbose),
      ...(isGift ? [screen.style.grey(`  ${giftLine(gift)}`)] : []),
    ]);
    if (report.vectorError) throw report.vectorError;
    if (gift instanceof EngineError) throw gift;
  },
});

/** Gives contents to a fleet node. The index exists already, so an error is shown after its report. */
async function giveContents(
  session: Session,
  path: string,
  ref: string | undefined,
  url: string,
): Promise<GiftReport | EngineError> {
  try {
    const contents = await (await session.engine(path)).exportContents(path, ref);
    return await session.outside.giveContents(await session.settings(path), url, contents);
  } catch (error) {
    return toEngineError(error);
  }
}

function giftLine({ given, known, withheld }: GiftReport): string {
  const rest =
    withheld > 0 ? `; ${count(withheld)} withheld: with a secret, generated, or in a form that is not taken` : '';
  return `${plural(given, 'content')} given to the fleet, which had ${count(known)}${rest}`;
}
