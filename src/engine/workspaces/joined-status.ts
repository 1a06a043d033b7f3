/**
 * Joins the states of several repositories: counts are summed, and of states the one that needs attention first is
 * reported.
 */
import { parseScope } from '../../model/records/scope.ts';
import type { ProjectStatus, WorkspaceMember } from '../engine.ts';

export interface MemberStatus {
  readonly member: WorkspaceMember;
  readonly value: ProjectStatus;
}

type Field<Name extends keyof ProjectStatus> = readonly ProjectStatus[Name][];

/** In order of precedence. `ready` precedes `not_indexed`: questions are answered once one repository is indexed. */
const INDEXING: Field<'indexing'> = ['indexing', 'failed', 'ready', 'not_indexed'];
const SCHEMA: Field<'schema'> = ['corrupt_manifest', 'reindex_required', 'compatible', 'not_indexed'];
const FRESHNESS: Field<'freshness'> = ['stale', 'syncing', 'fresh'];

export function joinStatuses(scope: string, members: readonly MemberStatus[]): ProjectStatus {
  const all = members.map(({ value }) => value);
  const first = all[0]!;
  const firstState = <Name extends 'indexing' | 'schema' | 'freshness'>(name: Name, order: Field<Name>) =>
    order.find((state) => all.some((status) => status[name] === state)) ?? first[name];
  const total = (count: (status: ProjectStatus) => number) => all.reduce((sum, status) => sum + count(status), 0);
  const times = all.flatMap(({ lastIndexedAtMs }) => lastIndexedAtMs ?? []);
  const failures = members.flatMap(({ member, value }) => (value.failure ? `${member.name}: ${value.failure}` : []));
  const busy = members.find(({ value }) => value.indexing === 'indexing')?.value;
  return {
    ...first,
    project: {
      ...first.project,
      root: scope,
      moduleName: parseScope(scope)?.workspace || members.map(({ member }) => member.name).join(', '),
      languageVersion: '',
      isGit: false,
      storeFolder: '',
    },
    ref: `${members.length} ${members.length === 1 ? 'repository' : 'repositories'}`,
    indexing: firstState('indexing', INDEXING),
    schema: firstState('schema', SCHEMA),
    freshness: firstState('freshness', FRESHNESS),
    pending: members.flatMap(({ member, value }) => value.pending.map((path) => `${member.name}/${path}`)),
    moved: all.some(({ moved }) => moved),
    outdated: all.some(({ outdated }) => outdated),
    failure: failures.length > 0 ? failures.join(' ') : null,
    fileCount: total(({ fileCount }) => fileCount),
    symbolCount: total(({ symbolCount }) => symbolCount),
    chunkCount: total(({ chunkCount }) => chunkCount),
    vectorCount: total(({ vectorCount }) => vectorCount),
    lineCount: total(({ lineCount }) => lineCount),
    indexBytes: total(({ indexBytes }) => indexBytes),
    lastIndexedAtMs: times.length > 0 ? Math.min(...times) : null,
    lastDurationMs: null,
    languages: joinLanguages(all),
    skippedByReason: joinCounts(all.map(({ skippedByReason }) => skippedByReason)),
    activeJob: busy?.activeJob ?? null,
    progress: busy?.progress ?? null,
    recentJobs: [],
    refs: [],
    health: {
      storeReadable: all.every(({ health }) => health.storeReadable),
      vectorsAvailable: all.every(({ health }) => health.vectorsAvailable),
      postingsBuilt: all.every(({ health }) => health.postingsBuilt),
    },
  };
}

function joinLanguages(all: readonly ProjectStatus[]): ProjectStatus['languages'] {
  const files = joinCounts(all.map(({ languages }) => countsBy(languages, 'files')));
  const lines = joinCounts(all.map(({ languages }) => countsBy(languages, 'lines')));
  return Object.keys(files)
    .map((language) => ({ language, files: files[language]!, lines: lines[language]! }))
    .sort((a, b) => b.lines - a.lines || (a.language < b.language ? -1 : 1));
}

function countsBy(languages: ProjectStatus['languages'], unit: 'files' | 'lines'): Record<string, number> {
  return Object.fromEntries(languages.map((each) => [each.language, each[unit]]));
}

function joinCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
