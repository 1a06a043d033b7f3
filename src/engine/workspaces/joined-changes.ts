/**
 * Impact and history over several repositories: changed files come from each repository's git, dependants from the
 * joined tree.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { CommitsAnswer, CommitsRequest, FoundCommit } from '../../model/records/history.ts';
import type { ImpactAnswer, ImpactRequest, TestCommand, TestToRun } from '../../model/records/impact.ts';
import { readPlace } from '../../model/text/parse-place.ts';
import { locateSymbols } from '../../search/index.ts';
import type { Engine } from '../engine.ts';
import {
  checkImpact,
  commitsOf,
  diffSubject,
  type Subject,
  targetSubject,
  WAIT_FRESH_MS,
  yieldOrCancel,
} from '../questions/change-calls.ts';
import { checkQuery } from '../questions/check-request.ts';
import { MAX_NAMESAKES } from '../questions/history-calls.ts';
import { meantSymbols } from '../questions/meant-symbols.ts';
import type { GraphContext } from '../questions/symbol-detail.ts';
import type { JoinedFreshness } from './joined-freshness.ts';
import type { JoinedProject, JoinedProjects, OpenMember } from './joined-project.ts';
import { memberAt, projectPath, scopedPath, scopedPaths } from './member-at.ts';

const DEFAULT_COMMITS = 20;
const MAX_COMMITS = 200;

export class JoinedChanges {
  readonly #projects: JoinedProjects;
  readonly #indexFreshness: JoinedFreshness;
  readonly #localEngine: Pick<Engine, 'commits'>;

  constructor(projects: JoinedProjects, indexFreshness: JoinedFreshness, alone: Pick<Engine, 'commits'>) {
    this.#projects = projects;
    this.#indexFreshness = indexFreshness;
    this.#localEngine = alone;
  }

  async impact(scope: string, request: ImpactRequest): Promise<ImpactAnswer> {
    checkImpact(request);
    const before = await this.#projects.around(scope);
    await before.find(request.ref);
    if (request.target === undefined) await this.#indexFreshness.wait(before, WAIT_FRESH_MS);
    const opened = await this.#projects.around(scope);
    const context = await this.#projects.graphContext(opened, opened.joined.view);
    const subject =
      request.target === undefined ? await diffsIn(opened, request) : targetSubject(context, '', request.target);
    const { impactOf } = await import('../../graph/index.ts');
    const answer = await impactOf({
      ...context,
      ...subject,
      commits: await commitsIn(changedMembers(opened, context, subject), request.signal),
      pause: () => yieldOrCancel(request),
    });
    return {
      ...answer,
      commands: await commandsIn(opened, answer.tests),
      notices: [...subject.notices, ...answer.notices],
      freshness: await this.#indexFreshness.of(opened),
    };
  }

  /** Lines and symbols are looked up in their own repository's history, words in all histories. */
  async commits(scope: string, request: CommitsRequest): Promise<CommitsAnswer> {
    checkQuery(request, MAX_COMMITS);
    const opened = await this.#projects.around(scope);
    const place = await this.#placeOf(opened, request.query.trim());
    const memberQueries = place
      ? [place]
      : oneMemberPerProject(opened.members).map((member) => ({ member, query: request.query }));
    const answers = await Promise.all(
      memberQueries.map(async (one) => ({ ...one, answer: await this.#commitsOf(one, request) })),
    );
    return joinCommits(answers, request);
  }

  async #commitsOf({ member, query }: MemberQuery, request: CommitsRequest): Promise<CommitsAnswer | EngineError> {
    try {
      return await this.#localEngine.commits(member.opened.resolved.root, { ...request, query });
    } catch (error) {
      // A folder without git has no history; the other repositories do.
      if (!(error instanceof EngineError) || error.code === 'cancelled') throw error;
      return error;
    }
  }

  async #placeOf(opened: JoinedProject, query: string): Promise<MemberQuery | null> {
    const named = lines(opened, readPlace(query));
    if (named || /\s/.test(query)) return named;
    const context = await this.#projects.graphContext(opened, opened.joined.view);
    const [symbol] = meantSymbols(context, locateSymbols(context, { name: query, limit: MAX_NAMESAKES }).symbols);
    return symbol ? lines(opened, symbol) : null;
  }
}

interface MemberQuery {
  readonly member: OpenMember;
  readonly query: string;
}

interface Lines {
  readonly path: string;
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

function lines(
  { members, joined }: JoinedProject,
  { path, startLine, endLine = startLine }: Lines,
): MemberQuery | null {
  const at = memberAt(members, path);
  if (!at || joined.view.indexOfPath(path) < 0) return null;
  const range = startLine === undefined ? '' : `:${startLine}-${endLine}`;
  return { member: at.member, query: projectPath(at.member, at.path) + range };
}

/** Packages of one monorepo share a history, which is asked once. */
function oneMemberPerProject(members: readonly OpenMember[]): OpenMember[] {
  const rootOf = ({ opened }: OpenMember) => opened.resolved.root;
  return members.filter((member, i) => members.findIndex((each) => rootOf(each) === rootOf(member)) === i);
}

function joinCommits(
  answers: readonly (MemberQuery & { readonly answer: CommitsAnswer | EngineError })[],
  { query, limit = DEFAULT_COMMITS }: CommitsRequest,
): CommitsAnswer {
  const read = answers.flatMap(({ member, answer }) => (answer instanceof EngineError ? [] : { member, answer }));
  const [failed] = answers;
  if (read.length === 0 && failed?.answer instanceof EngineError) throw failed.answer;
  // Scores are not comparable between histories: sort by rank within each history, then by date.
  const ranked = read.flatMap(({ member, answer }) =>
    answer.commits.map((commit, rank) => ({ rank, commit: { ...commit, repository: member.name } })),
  );
  ranked.sort((a, b) => a.rank - b.rank || b.commit.dateMs - a.commit.dateMs);
  const commits: FoundCommit[] = ranked.slice(0, limit).map(({ commit }) => commit);
  return {
    subject: read.length === 1 && answers.length === 1 ? query.trim() : `"${query.trim()}" in messages and diffs`,
    commits,
    isComplete: read.every(({ answer }) => answer.isComplete),
    commitsRead: read.reduce((sum, { answer }) => sum + answer.commitsRead, 0),
    notices: answers.flatMap(({ member, answer }) =>
      (answer instanceof EngineError ? [answer.message] : answer.notices).map((notice) => `${member.name}: ${notice}`),
    ),
  };
}

/** The changed files of all repositories. Throws the first error if git fails in every one. */
async function diffsIn({ members }: JoinedProject, request: ImpactRequest): Promise<Subject> {
  const read: { readonly member: OpenMember; readonly subject: Subject }[] = [];
  const notices: string[] = [];
  let failure: EngineError | null = null;
  for (const member of members) {
    try {
      read.push({ member, subject: await diffSubject(member.opened, member.whole, request) });
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === 'cancelled') throw error;
      failure ??= error;
      notices.push(`${member.name}: ${error.message}`);
    }
  }
  const [first] = read;
  if (!first) throw failure ?? new EngineError('not_a_repository', { path: '' });
  const changes = read.flatMap(({ member, subject }) =>
    subject.changes.flatMap((change) => {
      const path = scopedPath(member, change.path);
      if (path === null) return [];
      return { ...change, path, oldPath: change.oldPath === null ? null : scopedPath(member, change.oldPath) };
    }),
  );
  const { description } = first.subject;
  if (changes.length === 0) notices.push(`Nothing differs: ${description}.`);
  const moreFiles = read.reduce((sum, { subject }) => sum + subject.moreFiles, 0);
  return { description, changes, moreFiles, named: [], notices };
}

/** The repositories that a change touches: their histories tell which files change together. */
function changedMembers({ members }: JoinedProject, { view }: GraphContext, { changes, named }: Subject): OpenMember[] {
  const paths = [...changes.map(({ path }) => path), ...named.map(({ file }) => view.files[file]!.path)];
  return members.filter((member) => paths.some((path) => memberAt(members, path)?.member === member));
}

async function commitsIn(members: readonly OpenMember[], signal?: AbortSignal): Promise<string[][]> {
  const each = members.map(async (member) => {
    const commits = await commitsOf(member.opened, member.whole, signal);
    return commits.map((paths) => scopedPaths(member, paths)).filter((paths) => paths.length > 0);
  });
  return (await Promise.all(each)).flat();
}

/** The test commands, each run in its repository's folder. */
async function commandsIn({ members }: JoinedProject, tests: readonly TestToRun[]): Promise<TestCommand[]> {
  const { testCommands } = await import('../../graph/index.ts');
  return members.flatMap((member) => {
    const own = tests.flatMap((one) => {
      const at = memberAt(members, one.path);
      return at?.member === member ? { ...one, path: projectPath(member, at.path) } : [];
    });
    const { opened, whole } = member;
    const inFolder = (line: string) => `(cd ${shellText(opened.resolved.root)} && ${line})`;
    return testCommands(opened.readerOf(whole), whole, own).map(({ runner, line }) => ({
      runner,
      line: inFolder(line),
    }));
  });
}

function shellText(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
