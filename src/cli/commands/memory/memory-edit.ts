/** The command `sextant memory edit`: corrects a discovery. */
import { DISCOVERY_TYPES } from '../../../model/records/discovery.ts';
import { readPlace } from '../../../model/text/parse-place.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG } from '../../parsing/project-flags.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import { DISCOVERY_FIELDS, discoveryJson, renderDiscovery } from '../../render/discovery-json.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';

export const memoryEdit = defineCommand({
  name: 'memory edit',
  group: 'memory',
  summary: 'Change one entry',
  details:
    'Fields that are not given stay unchanged. A mined entry becomes a recorded one under its id. `sextant memory ' +
    'show` names the file of an entry: it is plain text, which you may also edit by hand.',
  operands: {
    id: { value: 'ID', required: true, help: 'Id of the entry' },
    text: { value: 'TEXT', rest: true, help: 'The new text; - reads standard input' },
  },
  flags: {
    path: PATH_FLAG,
    type: { kind: 'string', value: 'TYPE', choices: DISCOVERY_TYPES, help: 'What it is' },
    module: { kind: 'string', value: 'NAME', help: 'Module that the entry is about' },
    evidence: {
      kind: 'list',
      value: 'PLACE',
      help: 'New evidence: FILE, FILE:10 or FILE:10-20',
    },
    'superseded-by': {
      kind: 'string',
      value: 'ID',
      mayBeEmpty: true,
      help: 'The entry that replaces it; empty for none',
    },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant memory edit rule-0f3a… "Tokens are never logged, not even shortened"', meaning: 'another text' },
    { line: 'sextant memory edit decision-19bc… --superseded-by decision-77ab…', meaning: 'replaced by a later one' },
  ],
  json: DISCOVERY_FIELDS,
  async run({ flags, operands }, session) {
    const path = flags.path ?? '.';
    const content = operands.text === '-' ? (await session.terminal.readInput()).trim() : operands.text;
    const successor = flags['superseded-by'];
    const changes = {
      ...(content === undefined ? {} : { content }),
      ...(flags.type === undefined ? {} : { type: flags.type }),
      ...(flags.module === undefined ? {} : { module: flags.module }),
      ...(flags.evidence === undefined ? {} : { evidence: flags.evidence.map(readPlace) }),
      ...(successor === undefined ? {} : { supersededBy: successor || null }),
    };
    if (Object.keys(changes).length === 0)
      throw new UsageError(
        'Nothing says what to change.',
        'Pass the new text, or --type, --module, --evidence, --superseded-by.',
      );
    const engine = await session.engine(path);
    const changed = await engine.editDiscovery(path, operands.id, changes);
    await printAnswer(session, flags.format, discoveryJson(changed), (screen) => renderDiscovery(changed, screen));
  },
});
