import { defineCommand } from '../../parsing/command.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { URL_FLAG, withFleet } from './fleet-flags.ts';

export const fleetInit = defineCommand({
  name: 'fleet init',
  group: 'fleet',
  summary: 'Create the indices of a fleet in OpenSearch, or migrate them',
  details:
    'A fleet keeps thousands of repositories in OpenSearch: derived contents by git blob id, a published snapshot ' +
    'for each branch, and the catalogue. Run it again after an upgrade; existing data stays. docs/fleet.md ' +
    'describes every step.',
  operands: {},
  flags: {
    url: URL_FLAG,
    shards: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 1000,
      help: 'Primary shards: one per ten million chunks (default: 1)',
    },
    replicas: { kind: 'integer', value: 'N', min: 0, max: 10, help: 'Copies of every shard (default: 1)' },
    format: FORMAT_FLAG,
  },
  examples: [{ line: 'sextant fleet init --url https://search.acme.example:9200', meaning: 'before anything else' }],
  json: [
    { field: 'schema_before', meaning: 'schema version before; 0 if there were no indices' },
    { field: 'schema', meaning: 'schema version now' },
  ],
  async run({ flags }, session) {
    const options = { shards: flags.shards ?? 1, replicas: flags.replicas ?? 1 };
    const { from, to } = await withFleet(session, flags.url, (fleet) => fleet.setUp(options));
    const message =
      from === to
        ? `The fleet is set up (schema ${to}).`
        : from === 0
          ? `The fleet is ready (schema ${to}). Add repositories with \`sextant fleet add\`.`
          : `The fleet is carried forward from schema ${from} to ${to}.`;
    await printAnswer(session, flags.format, { schema_before: from, schema: to }, ({ style }) => [
      `${style.green('✓')} ${message}`,
    ]);
  },
});
