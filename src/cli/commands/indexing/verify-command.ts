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
  summary: 'Prove that the index holds what the folder (or a ref) holds',
  details:
    'Lists the folder or the ref again, reads every file and compares it with the index by its content, and ' +
    'reads the index file from end to end. Ends with 0 when both agree, with 1 when they do not: a branch that ' +
    'has moved since it was indexed does not, nor does an index that another version of Sextant made.',
  operands: {},
  flags: { path: PATH_FLAG, ref: REF_FLAG, format: FORMAT_FLAG },
  examples: [
    { line: 'sextant verify', meaning: 'the project in this folder' },
    { line: 'sextant verify --format json', meaning: 'for a script: `ok`, or what differs' },
  ],
  json: [
    { field: 'ok', meaning: 'whether nothing differs and nothing is wrong' },
    { field: 'ref', meaning: 'what was compared' },
    { field: 'files', meaning: 'files in the index' },
    { field: 'chunks', meaning: 'chunks in the index' },
    { field: 'commit', meaning: 'the commit that was indexed, or null' },
    { field: 'current_commit', meaning: 'with --ref: where the ref stands now' },
    { field: 'pending[]', meaning: 'paths that differ (the first hundred)' },
    {
      field: 'outdated',
      meaning: 'whether another version of Sextant or another model made it, and may have given something else',
    },
    { field: 'faults[]', meaning: 'what is wrong with the index file' },
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
