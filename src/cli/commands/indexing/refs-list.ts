import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { alignRows, printableLine } from '../../render/terminal-text.ts';
import { ago, plural } from '../../render/units.ts';

export const refsList = defineCommand({
  name: 'refs list',
  group: 'index',
  summary: 'List the branches, tags and commits that are indexed',
  operands: {},
  flags: { path: PATH_FLAG, format: FORMAT_FLAG },
  examples: [{ line: 'sextant refs list', meaning: 'what --ref can search at once' }],
  json: [
    { field: 'refs[].ref', meaning: 'a branch, tag or commit; the work tree under its branch or `live`' },
    { field: 'refs[].commit', meaning: 'its commit, or null' },
    { field: 'refs[].indexed_at_ms', meaning: 'when it was indexed, in milliseconds since 1970' },
    { field: 'refs[].files', meaning: 'its files' },
  ],
  async run({ flags }, session) {
    const path = flags.path ?? '.';
    const engine = await session.engine(path);
    const { refs } = await engine.status(path);
    const data = {
      refs: refs.map(({ ref, commit, indexedAtMs, files }) => ({ ref, commit, indexed_at_ms: indexedAtMs, files })),
    };
    await printAnswer(session, flags.format, data, ({ style }) =>
      refs.length === 0
        ? ['Nothing is indexed yet. Run `sextant index`.']
        : alignRows(
            refs.map(({ ref, commit, indexedAtMs, files }) => [
              style.cyan(printableLine(ref)),
              style.grey(commit?.slice(0, 12) ?? ''),
              plural(files, 'file'),
              style.grey(ago(indexedAtMs, Date.now())),
            ]),
            [2],
          ),
    );
  },
});
