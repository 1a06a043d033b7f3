/** The section of docs/fleet.md that a run writes. Pure. */
import type { CpuMs, Latency } from './across.ts';
import { capacityText } from './capacity.ts';
import type { Indexed, Sizes } from './fleet.ts';
import type { Moved } from './moving.ts';
import type { Hydrated, WithinFigures } from './within.ts';

interface Across {
  readonly latency: Latency;
  readonly cpu: CpuMs;
  readonly quality: { readonly together: number; readonly first: number } | null;
}

export interface Measured {
  readonly shards: number;
  /** Of the machine, at the end. */
  readonly load: number;
  readonly indexed: Indexed;
  /** Of the whole fleet. */
  readonly sizes: Sizes;
  readonly questions: number;
  /** Across the laid-out repositories. */
  readonly across: Across & { readonly chunks: number };
  /** Across the whole fleet; null where it is no larger. */
  readonly all: Across | null;
  readonly hydrated: Hydrated | null;
  readonly within: WithinFigures | null;
  readonly cold: { readonly name: string; readonly lines: number; readonly ms: number };
  readonly moved: Moved;
  readonly pushMs: number;
}

type Row = readonly [string, string];

export function reportText(measured: Measured): string {
  const { indexed, sizes, shards, load } = measured;
  const rows = [...questionRows(measured), ...movingRows(measured)];
  const capacity = capacityText({
    chunkBytes: sizes.chunkBytes / sizes.chunks,
    blobBytes: sizes.blobBytes / sizes.chunks,
    chunksPerFile: sizes.chunks / indexed.files,
    filesPerSecond: indexed.created / indexed.seconds,
    p50Ms: (measured.all ?? measured.across).latency.p50,
    measuredChunks: sizes.chunks,
  });
  return `${indexed.count} repositories, ${count(indexed.files)} files, ${count(sizes.chunks)} chunks; three nodes of OpenSearch (${shards} shards), the worker and the asker on one machine of two cores (load ${load.toFixed(0)} at the end); \`npm run bench:fleet\`:

| | |
|---|---|
${rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n')}

### Capacity
${capacity}`;
}

function questionRows({ questions, within, across, all, sizes }: Measured): Row[] {
  const { cpu } = all ?? across;
  return [
    ...(within
      ? [
          [
            `NDCG@10 within the repository: fleet, embedded (${questions} questions)`,
            `${within.fleet.toFixed(4)}, ${within.embedded.toFixed(4)}; ${within.different} answers differ`,
          ] as const,
        ]
      : []),
    ...(across.quality
      ? ([
          ['NDCG@10 across all, repository and file together', across.quality.together.toFixed(3)],
          ['the first result is of the right repository', across.quality.first.toFixed(3)],
        ] as const)
      : []),
    [`a question across ${count(across.chunks)} chunks, p50 / p95`, latencyText(across.latency)],
    ...(all ? [[`a question across ${count(sizes.chunks)} chunks, p50 / p95`, latencyText(all.latency)] as const] : []),
    [
      'CPU of such a question: all nodes of OpenSearch, the node that answers',
      `${cpu.cluster.toFixed(0)}, ${cpu.asker.toFixed(0)} ms`,
    ],
  ];
}

function movingRows({ indexed, sizes, hydrated, cold, moved, pushMs }: Measured): Row[] {
  const bytesOfChunk = (bytes: number) => (bytes / sizes.chunks).toFixed(0);
  const moving = `${moved.contents} contents (${moved.mb.toFixed(1)} MB packed) read and unpacked`;
  const source = "a repository from the fleet to a node's disk";
  return [
    [
      'contents derived, stored and made findable, by one worker',
      `${(indexed.created / indexed.seconds).toFixed(0)} a second`,
    ],
    [
      'bytes of a chunk in `chunks`, in `blobs` (one copy)',
      `${bytesOfChunk(sizes.chunkBytes)}, ${bytesOfChunk(sizes.blobBytes)}`,
    ],
    ...(hydrated ? [[source, `${(hydrated.mb / hydrated.seconds).toFixed(1)} MB of source a second`] as const] : []),
    [
      `the first answer about a repository that the node does not have (${cold.name}, ${count(cold.lines)} lines)`,
      `${(cold.ms / 1000).toFixed(1)} s`,
    ],
    [
      `its ${moving}: one document each, in ${moved.segments} segments`,
      `${moved.blobsMs.toFixed(0)}, ${moved.segmentsMs.toFixed(0)} ms`,
    ],
    ['from an announced push to the answer, with a worker that stays', `${(pushMs / 1000).toFixed(1)} s`],
  ];
}

function count(value: number): string {
  return value.toLocaleString('en');
}

export function latencyText({ p50, p95 }: Latency): string {
  return `${p50.toFixed(0)} / ${p95.toFixed(0)} ms`;
}
