import { DISCOVERY_TYPES } from '../../../model/records/discovery.ts';
import { readPlace } from '../../../model/text/parse-place.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG } from '../../parsing/project-flags.ts';
import { DISCOVERY_FIELDS, discoveryJson } from '../../render/discovery-json.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';

const OUTCOME = {
  created: 'Remembered',
  updated: 'Updated',
  linked: 'Remembered and linked to what it contradicts',
} as const;

export const remember = defineCommand({
  name: 'remember',
  group: 'memory',
  summary: 'Record a decision, rule, pattern or issue of the project',
  details:
    'Recording the same thought again updates the first entry. An entry that contradicts another is kept and ' +
    'linked to it. Secrets and personal data are recognised and refused.',
  operands: { text: { value: 'TEXT', required: true, rest: true, help: 'The text to record; - reads standard input' } },
  flags: {
    path: PATH_FLAG,
    type: { kind: 'string', value: 'TYPE', choices: DISCOVERY_TYPES, help: 'Type of the entry (default: decision)' },
    module: { kind: 'string', value: 'NAME', help: 'Module that the entry is about' },
    evidence: { kind: 'list', value: 'PLACE', help: 'Evidence: FILE, FILE:10 or FILE:10-20' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant remember "Retries belong to the HTTP client, not to callers"', meaning: 'a decision' },
    { line: 'sextant remember --type rule --module auth "Tokens are never logged"', meaning: 'a rule of one module' },
  ],
  json: [
    { field: 'outcome', meaning: '`created`, `updated` or `linked`' },
    ...DISCOVERY_FIELDS.map(({ field, meaning }) => ({ field: `discovery.${field}`, meaning })),
  ],
  async run({ flags, operands }, session) {
    const path = flags.path ?? '.';
    const content = operands.text === '-' ? (await session.terminal.readInput()).trim() : operands.text;
    const engine = await session.engine(path);
    const { discovery, outcome } = await engine.remember(path, {
      type: flags.type ?? 'decision',
      content,
      origin: 'person',
      ...(flags.module === undefined ? {} : { module: flags.module }),
      ...(flags.evidence === undefined ? {} : { evidence: flags.evidence.map(readPlace) }),
    });
    await printAnswer(session, flags.format, { outcome, discovery: discoveryJson(discovery) }, ({ style }) => [
      `${style.green('✓')} ${OUTCOME[outcome]}: ${discovery.id}`,
      ...(outcome === 'updated' && discovery.formerly
        ? [`  ${style.grey(`It said before: ${printableLine(discovery.formerly)}`)}`]
        : []),
      ...(outcome === 'linked' ? [`  ${style.grey(`Contradicts ${discovery.contradicts.join(', ')}`)}`] : []),
    ]);
  },
});
