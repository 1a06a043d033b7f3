/** code_research and read_file. */
import type { ReadFileAnswer, ResearchAnswer } from '../../../model/records/query.ts';
import { linkFiles, linkRoots } from '../../kit/file-links.ts';
import { placeIn } from '../../kit/project-path.ts';
import { readShownFile } from '../../kit/read-shown-file.ts';
import { fitParts, listPart, namedList, namedText, type Part, textPart } from '../../kit/token-budget.ts';
import { untrustedLines } from '../../kit/untrusted-text.ts';
import { ANSWER_VIEW } from '../answer-view.ts';
import { lines, presentOutline } from '../present-answers.ts';
import * as output from '../sextant-outputs.ts';
import * as schema from '../sextant-schemas.ts';
import {
  omission,
  project,
  READS,
  SHORT_TOKENS,
  sextantTool,
  shortenContent,
  snapshotPart,
  stateParts,
} from './tool-kit.ts';

/** Places whose code is quoted in an answer without max_tokens. */
const SHORT_EVIDENCE = 3;
const WHOLE_RESEARCH = 'max_tokens: 6000 adds all evidence; graph: true the edges and a diagram';
/** A read file has a larger budget than an answer that lists places. */
const FILE_TOKENS = 10_000;

export const codeResearch = sextantTool({
  name: 'code_research',
  title: 'Research',
  description:
    'Follow the code graph: what calls, implements, imports or tests X, how A reaches B, what has no known ' +
    'references. Not for finding a place (search_code). Gives a summary with the place and confidence of each ' +
    'step.',
  view: ANSWER_VIEW,
  input: schema.CODE_RESEARCH,
  output: output.RESEARCH,
  annotations: READS,
  taskSupport: 'optional',
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const answer = await ctx.engine.research(path, {
      query: args.query,
      depth: args.depth,
      ...(args.focus && { focus: args.focus }),
      ...(args.ref && { ref: args.ref }),
      onHop: (hop, total, found) => ctx.progress(hop, total, `Hop ${hop} of ${total}: ${found} found`),
      signal: ctx.signal,
    });
    const isShort = args.max_tokens === undefined;
    const frame = { question: answer.question, ...(!isShort && { nodes: answer.nodes.length }) };
    const labels = new Map(answer.nodes.map(({ id, label }) => [id, label]));
    const nameOf = (id: string) => labels.get(id) ?? id;
    const parts = [
      ...(isShort ? shortParts(answer, nameOf) : wholeParts(answer, nameOf)),
      ...(args.graph ? graphParts(answer, nameOf) : []),
    ];
    const root = await linkRoots(ctx.engine, path);
    return {
      structured: fitParts(args.max_tokens ?? SHORT_TOKENS, frame, [...parts, ...stateParts(answer.freshness)]),
      content: linkFiles(
        root,
        answer.evidence
          .slice(0, isShort ? SHORT_EVIDENCE : answer.evidence.length)
          .map((place) => ({ ...place, title: place.why, score: 1 / (1 + place.hop) })),
      ),
    };
  },
});

type NameOf = (id: string) => string;

/** The summary has every step with its place; the rest is code of the first steps and follow-up questions. */
function shortParts({ summary, evidence, nextQuestions, truncated, cycles, hubs }: ResearchAnswer, nameOf: NameOf) {
  return [
    namedText('summary', summary),
    listPart({
      items: evidence.slice(0, SHORT_EVIDENCE).map(({ path, startLine, endLine, snippet }) => ({
        path,
        lines: lines(startLine, endLine),
        content: provingLine(snippet),
      })),
      shorten: shortenContent,
      show: (shown) => ({
        evidence: shown,
        ...(truncated && { truncated: true }),
        ...(evidence.length > shown.length && { more: WHOLE_RESEARCH }),
      }),
    }),
    namedList('ask_next', { items: nextQuestions.slice(0, 2) }),
    ...structureParts(cycles, hubs.slice(0, 1), nameOf),
  ];
}

/** The proving line, in the middle of the quoted lines. */
function provingLine(snippet: string): string {
  const [first = '', second] = snippet.split('\n');
  return (second ?? first).trim();
}

function wholeParts(answer: ResearchAnswer, nameOf: NameOf): readonly Part[] {
  return [
    namedText('summary', answer.summary),
    listPart({
      items: evidenceOf(answer),
      shorten: shortenContent,
      show: (evidence, missing) => ({
        evidence,
        ...omission(missing),
        ...((answer.truncated || missing > 0) && { truncated: true }),
      }),
    }),
    namedList('ask_next', { items: answer.nextQuestions }),
    ...structureParts(answer.cycles, answer.hubs, nameOf),
  ];
}

function structureParts(cycles: ResearchAnswer['cycles'], hubs: ResearchAnswer['hubs'], nameOf: NameOf): Part[] {
  return [
    ...(cycles.length > 0 ? [namedList('cycles', { items: cycles.map((cycle) => cycle.map(nameOf)) })] : []),
    ...(hubs.length > 0
      ? [namedList('hubs', { items: hubs.map(({ id, degree }) => ({ name: nameOf(id), degree })) })]
      : []),
  ];
}

/** The evidence; a reason is added if the summary does not name the place. */
function evidenceOf({ evidence, summary }: ResearchAnswer) {
  return evidence.map(({ path, startLine, endLine, snippet, why, hop }) => {
    const isInSummary = [startLine, startLine + 1, endLine].some((line) => summary.includes(`${path}:${line}`));
    return { path, lines: lines(startLine, endLine), ...(isInSummary ? {} : { why, hop }), content: snippet };
  });
}

/** The edges as a list and as a diagram, for callers that set max_tokens; the summary already has each edge. */
function graphParts(answer: ResearchAnswer, nameOf: NameOf): readonly Part[] {
  return [
    namedList('edges', { items: edgesOf(answer, nameOf) }),
    // Each line is independent; a heading without lines is dropped.
    textPart(answer.mermaid, (mermaid, count) => (count > 1 ? { mermaid } : {})),
  ];
}

/** Edges with their confidence; nodes have the names of the summary and the follow-up questions. */
function edgesOf({ edges }: ResearchAnswer, nameOf: NameOf) {
  return edges.map(({ from, to, kind, confidence, path, line }) => ({
    from: nameOf(from),
    to: nameOf(to),
    kind,
    confidence,
    at: `${path}:${line}`,
  }));
}

/** How long an outline waits for the index to catch up with the file. */
const WAIT_FRESH_MS = 3_000;

export const readFile = sextantTool({
  name: 'read_file',
  title: 'Read',
  description:
    'Read a file, some of its lines, or its outline (first, for a long file). Not for finding something ' +
    '(search_code). Gives text or symbols with lines.',
  input: schema.READ_FILE,
  output: output.FILE,
  annotations: READS,
  async handle(args, ctx) {
    const folder = await project(args.project, ctx);
    const withDependencies = args.dependencies || args.dependency_content;
    const fromIndex = args.outline || withDependencies;
    const file = await readShownFile(ctx.engine, folder, {
      path: await placeIn(folder, args.path, ctx),
      ...(args.start_line !== undefined && { startLine: args.start_line }),
      ...(args.end_line !== undefined && { endLine: args.end_line }),
      ...(args.outline && { outlineOnly: true }),
      ...(withDependencies && { includeDependencies: true }),
      ...(args.dependency_content && { includeDependencyContent: true }),
      ...(args.dependants && { includeDependants: true }),
      ...(fromIndex && { waitFreshMs: WAIT_FRESH_MS }),
    });
    const untrusted = args.outline ? '' : untrustedLines(file.content, file.path, file.startLine);
    const frame = {
      path: file.path,
      total_lines: file.lines,
      ...(args.start_line === undefined && aboutFile(file)),
      ...(untrusted && { untrusted_instruction: `lines ${untrusted}` }),
      ...(fromIndex && !file.indexed && { notices: ['This content is not indexed (yet): call again later.'] }),
    };
    const parts = [
      args.outline ? namedList('outline', { items: file.outline.map(presentOutline) }) : contentPart(file),
      ...(args.dependants ? [namedList('dependants', { items: file.dependants })] : []),
      ...(withDependencies && file.externalDependencies.length > 0
        ? [namedList('external', { items: file.externalDependencies })]
        : []),
      ...(withDependencies ? [dependenciesPart(file, args.dependency_content)] : []),
      ...snapshotPart(file),
    ];
    const root = await linkRoots(ctx.engine, folder);
    return {
      structured: fitParts(args.max_tokens ?? FILE_TOKENS, frame, parts),
      content: linkFiles(root, [{ path: file.path, title: file.path, score: 1 }]),
    };
  },
});

/** Only with the first part of a file that is read in parts. */
function aboutFile({ language, size, module, role }: ReadFileAnswer) {
  return { language, size, module, role };
}

function contentPart({ content, startLine, endLine }: ReadFileAnswer): Part {
  return textPart(content, (shown, count) => {
    // The text after the last line break is not a line.
    const last = Math.min(startLine + count - 1, endLine);
    return {
      lines: `${startLine}-${last}`,
      content: shown,
      ...(last < endLine && { next: `Call again with start_line: ${last + 1}.` }),
    };
  });
}

/** Paths of the imports, or their contents if the file leaves room: only the paths have a guaranteed share. */
function dependenciesPart({ dependencies }: ReadFileAnswer, withContent: boolean | undefined): Part {
  const paths = namedList('dependencies', { items: dependencies.map(({ path }) => path) });
  if (!withContent) return paths;
  const texts = dependencies.map(({ path, content = '' }) => ({ path, content }));
  return { ...namedList('dependencies', { items: texts, shorten: shortenContent }), need: paths.need };
}
