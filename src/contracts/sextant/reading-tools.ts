/** Following and reading: several hops through the graph, files with what they import. */
import type { ReadFileAnswer, ResearchAnswer } from '../../model/query.ts';
import { linkFiles } from '../file-links.ts';
import { lines, presentOutline, presentState } from './present.ts';
import * as schema from './schemas.ts';
import { estimateTokens, fitItems, fitText } from './token-budget.ts';
import { FRAME_TOKENS, omission, project, READS, sextantTool, shortenContent } from './tool-kit.ts';

export const codeResearch = sextantTool({
  name: 'code_research',
  title: 'Research',
  description: 'Who calls, implements or imports what.',
  input: schema.CODE_RESEARCH,
  output: schema.OUTPUT,
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
    const frame = {
      question: answer.question,
      summary: answer.summary,
      mermaid: answer.mermaid,
      ask_next: answer.nextQuestions,
    };
    const evidence = answer.evidence.map(({ path: file, startLine, endLine, snippet, why, hop }) => ({
      path: file,
      lines: lines(startLine, endLine),
      why,
      hop,
      content: snippet,
    }));
    const fitted = fitItems(evidence, args.max_tokens - estimateTokens(frame) - FRAME_TOKENS, shortenContent);
    const root = await ctx.engine.root(path);
    return {
      structured: {
        ...frame,
        evidence: fitted.items,
        ...graphOf(answer, args.max_tokens - estimateTokens(frame) - FRAME_TOKENS - estimateTokens(fitted.items)),
        ...(answer.cycles.length > 0 && { cycles: answer.cycles }),
        ...(answer.hubs.length > 0 && { hubs: answer.hubs }),
        ...omission(fitted.omitted),
        ...((answer.truncated || fitted.omitted > 0) && { truncated: true }),
        ...presentState(answer.freshness),
      },
      content: linkFiles(
        root,
        answer.evidence.map((place) => ({ ...place, title: place.why, score: 1 / (1 + place.hop) })),
      ),
    };
  },
});

/** Edges with their confidence, as far as the budget goes; nodes are named by their ends. */
function graphOf({ edges, nodes }: Pick<ResearchAnswer, 'edges' | 'nodes'>, budget: number) {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const shown = fitItems(
    edges.map(({ from, to, kind, confidence, path, line }) => ({
      from: labels.get(from) ?? from,
      to: labels.get(to) ?? to,
      kind,
      confidence,
      at: `${path}:${line}`,
    })),
    budget,
    (item) => item,
  );
  return { nodes: nodes.length, edges: shown.items };
}

/** How long an outline and imports wait for the index to hold the content as it is now. */
const WAIT_FRESH_MS = 3_000;

export const readFile = sextantTool({
  name: 'read_file',
  title: 'Read',
  description: 'File text or outline.',
  input: schema.READ_FILE,
  output: schema.OUTPUT,
  annotations: READS,
  async handle(args, ctx) {
    const folder = await project(args.project, ctx);
    const withDependencies = args.dependencies || args.dependency_content;
    const fromIndex = args.outline || withDependencies;
    const file = await ctx.engine.readFile(folder, {
      path: args.path,
      ...(args.start_line !== undefined && { startLine: args.start_line }),
      ...(args.end_line !== undefined && { endLine: args.end_line }),
      ...(args.outline && { outlineOnly: true }),
      ...(withDependencies && { includeDependencies: true }),
      ...(args.dependency_content && { includeDependencyContent: true }),
      ...(args.dependants && { includeDependants: true }),
      ...(fromIndex && { waitFreshMs: WAIT_FRESH_MS }),
    });
    const fitted = fitText(file.content, args.max_tokens - FRAME_TOKENS);
    const root = await ctx.engine.root(folder);
    return {
      structured: {
        path: file.path,
        language: file.language,
        total_lines: file.lines,
        size: file.size,
        module: file.module,
        role: file.role,
        last_modified: new Date(file.lastModifiedMs).toISOString(),
        ...(args.outline
          ? { outline: file.outline.map(presentOutline) }
          : {
              lines: `${file.startLine}-${file.startLine + fitted.lines - 1}`,
              content: fitted.text,
              ...(!fitted.complete && { next: `Call again with start_line: ${file.startLine + fitted.lines}.` }),
            }),
        ...(withDependencies &&
          dependenciesOf(file, args.dependency_content, args.max_tokens - estimateTokens(fitted.text))),
        ...(withDependencies && file.externalDependencies.length > 0 && { external: file.externalDependencies }),
        ...(args.dependants && { dependants: file.dependants }),
        ...(fromIndex && !file.indexed && { notices: ['This content is not indexed (yet): call again later.'] }),
      },
      content: linkFiles(root, [{ path: file.path, title: file.path, score: 1 }]),
    };
  },
});

/** Paths, or with their content as far as the file itself leaves room for it. */
function dependenciesOf({ dependencies }: ReadFileAnswer, withContent: boolean | undefined, budget: number) {
  if (!withContent) return { dependencies: dependencies.map(({ path }) => path) };
  const texts = dependencies.map(({ path, content = '' }) => ({ path, content }));
  const fitted = fitItems(texts, budget - FRAME_TOKENS, shortenContent);
  return { dependencies: fitted.items, ...omission(fitted.omitted) };
}
