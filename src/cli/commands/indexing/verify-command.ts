import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG, REF_FLAG } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { plural } from '../../render/units.ts';
import { indexCommand } from '../../running/missing-index.ts';

const MAX_SHOWN_PATHS = 10;

export const verify = defineCommand({
  name: 'verify',
  group: 'index',
  summary: 'Check that the index matches the folder (or a ref)',
  details:
    'Lists the folder or ref again, reads every file, compares its content with the index, and reads the whole ' +
    'index file. The exit code is 0 if both agree, otherwise 1: also for a branch that has moved since it was ' +
    'indexed, and for an index of another version of Sextant.',
  operands: {},
  flags: { path: PATH_FLAG, ref: REF_FLAG, format: FORMAT_FLAG },
  examples: [
    { line: 'sextant verify', meaning: 'the project in this folder' },
    { line: 'sextant verify --format json', meaning: 'for a script: `ok`, or what differs' },
  ],
  json: [
    { field: 'ok', meaning: 'whether nothing differs and the index file is sound' },
    { field: 'ref', meaning: 'what was compared' },
    { field: 'files', meaning: 'files in the index' },
    { field: 'chunks', meaning: 'chunks in the index' },
    { field: 'commit', meaning: 'the commit that was indexed, or null' },
    { field: 'current_commit', meaning: 'with --ref: the commit that the ref names now' },
    { field: 'pending[]', meaning: 'paths that differ (the first hundred)' },
    {
      field: 'outdated',
      meaning: 'whether another version of Sextant or another model made the index, whose results may differ',
    },
    { field: 'faults[]', meaning: 'faults of the index file' },
  ],
  async run({ flags }, session) {
    const path = flags.path ?? '.';
    const engine = await session.engine(path);
    const found = await engine.verify(path, flags.ref);
    const { ref, fileCount, chunkCount, commit, currentCommit, pending, outdated, faults } = found;
    const moved = commit !== currentCommit;
    const ok = pending.length === 0 && faults.length === 0 && !moved && !outdated;
    const data = {
      ok,
      ref,
      files: fileCount,
      chunks: chunkCount,
      commit,
      current_commit: currentCommit,
      pending,
      outdated,
      faults,
    };
    await printAnswer(session, flags.format, data, ({ style }) => {
      if (ok)
        return [
          `${style.green('✓')} The index of ${printableLine(ref)} is sound and up to date: ` +
            `${plural(fileCount, 'file')}, ${plural(chunkCount, 'chunk')}.`,
        ];
      const lines = faults.map((fault) => `${style.red('✗')} ${printableLine(fault)}`);
      if (faults.length > 0) lines.push(`  ${style.cyan('fix:')} Run \`sextant index --force\`.`);
      for (const changed of pending.slice(0, MAX_SHOWN_PATHS))
        lines.push(`${style.yellow('~')} ${printableLine(changed)}`);
      if (pending.length > MAX_SHOWN_PATHS) lines.push(style.grey(`  … ${pending.length - MAX_SHOWN_PATHS} more`));
      if (moved)
        lines.push(
          `${style.yellow('~')} ${printableLine(ref)} was indexed at ${commit?.slice(0, 12)} and stands at ` +
            `${currentCommit?.slice(0, 12)} now.`,
          `  ${style.cyan('fix:')} Run \`sextant index --ref ${printableLine(ref)}\`.`,
        );
      else if (pending.length > 0)
        lines.push(`  ${style.cyan('fix:')} Run \`sextant sync\`: the files above differ from the index.`);
      if (outdated && !moved)
        lines.push(
          `${style.yellow('~')} It was made by another version of Sextant or with another model, which may give ` +
            'something else.',
          `  ${style.cyan('fix:')} Run \`${printableLine(indexCommand(flags.ref))}\`.`,
        );
      return lines;
    });
    return ok ? 0 : 1;
  },
});
