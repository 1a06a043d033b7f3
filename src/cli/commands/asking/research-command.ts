import type { ResearchAnswer } from '../../../model/records/query.ts';
import { queryTerms } from '../../../model/text/query-matches.ts';
import { defineCommand } from '../../parsing/command.ts';
import { REF_FLAG, REMOTE_FLAGS, YES_FLAG } from '../../parsing/project-flags.ts';
import { FRESHNESS_FIELDS, freshnessJson, freshnessLines, place } from '../../render/location.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { renderSnippet } from '../../render/snippet.ts';
import { printableLine, wrap } from '../../render/terminal-text.ts';
import type { Screen } from '../../running/command-session.ts';
import { withIndex } from '../../running/index-first.ts';
import { targetOrClone } from '../../running/remote-target.ts';

const FOCUSES = ['architecture', 'dependencies', 'patterns', 'flow'] as const;

export const research = defineCommand({
  name: 'research',
  group: 'ask',
  summary: 'Follow calls, types and imports to answer a question about structure',
  details:
    'Understands "what calls X", "what does X call", "all implementations of X", "how does A reach B", "which ' +
    'tests cover X", "what depends on M", "where is X configured", "what has no known references in M" and open ' +
    'questions.',
  operands: { query: { value: 'QUESTION', required: true, rest: true, help: 'The question' } },
  flags: {
    ...REMOTE_FLAGS,
    ref: REF_FLAG,
    depth: { kind: 'integer', value: 'N', min: 1, max: 5, help: 'Maximum number of hops' },
    focus: { kind: 'string', value: 'FOCUS', choices: FOCUSES, help: 'Focus of the answer' },
    mermaid: { kind: 'boolean', help: 'Print the graph as a Mermaid diagram' },
    yes: YES_FLAG,
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant research "what calls parseConfig"', meaning: 'callers' },
    { line: 'sextant research "how does main reach the store" --depth 4', meaning: 'a path through the code' },
    { line: 'sextant research "all implementations of Store" --mermaid', meaning: 'as a diagram' },
    { line: 'sextant research "what has no known references in src"', meaning: 'symbols, each with the reason' },
  ],
  json: [
    { field: 'question', meaning: 'how the question was read' },
    { field: 'summary', meaning: 'the answer as text' },
    { field: 'evidence[].path', meaning: 'file' },
    { field: 'evidence[].start_line', meaning: 'first line' },
    { field: 'evidence[].end_line', meaning: 'last line' },
    { field: 'evidence[].snippet', meaning: 'the lines' },
    { field: 'evidence[].why', meaning: 'why it belongs to the answer' },
    { field: 'evidence[].hop', meaning: 'how many hops away' },
    { field: 'nodes[]', meaning: 'symbols and files: id, label, kind, path, line, hop' },
    { field: 'edges[]', meaning: 'relations: from, to, kind, confidence, path, line' },
    { field: 'cycles[]', meaning: 'cycles, each a list of node ids' },
    { field: 'hubs[]', meaning: 'nodes with many edges: id, degree' },
    { field: 'mermaid', meaning: 'the graph as a Mermaid diagram' },
    { field: 'next_questions[]', meaning: 'follow-up questions' },
    { field: 'truncated', meaning: 'whether the budget cut the answer' },
    ...FRESHNESS_FIELDS,
  ],
  async run({ flags, operands }, session) {
    const path = await targetOrClone(session, flags);
    const engine = await session.engine(path);
    const answer = await withIndex(session, path, { yes: flags.yes, ref: flags.ref }, () =>
      engine.research(path, {
        query: operands.query,
        signal: session.signal,
        ...(flags.depth === undefined ? {} : { depth: flags.depth }),
        ...(flags.focus === undefined ? {} : { focus: flags.focus }),
        ...(flags.ref === undefined ? {} : { ref: flags.ref }),
      }),
    );
    await printAnswer(session, flags.format, researchJson(answer), (screen) =>
      flags.mermaid ? [answer.mermaid] : render(answer, operands.query, screen),
    );
  },
});

function render(answer: ResearchAnswer, query: string, screen: Screen): string[] {
  const { style } = screen;
  const width = screen.isTerminal ? screen.columns : 100;
  const lines = wrap(answer.summary, width).map(printableLine);
  const terms = queryTerms(query);
  for (const item of answer.evidence) {
    lines.push('', `${place(item.path, item.startLine, item.endLine, style)}  ${style.grey(printableLine(item.why))}`);
    lines.push(
      ...renderSnippet(item.snippet, {
        language: item.path.split('.').at(-1) ?? '',
        startLine: item.startLine,
        terms,
        maxLines: 6,
        columns: screen.cutAt,
        style,
        indent: '  ',
      }),
    );
  }
  if (answer.nextQuestions.length > 0) {
    lines.push('', style.bold('Next questions'), ...answer.nextQuestions.map((q) => `  ${printableLine(q)}`));
  }
  if (answer.truncated)
    lines.push(style.yellow('The answer reached its size limit; ask a narrower question for the rest.'));
  lines.push(...freshnessLines(answer.freshness, style));
  return lines;
}

function researchJson(answer: ResearchAnswer) {
  return {
    question: answer.question,
    summary: answer.summary,
    evidence: answer.evidence.map((e) => ({
      path: e.path,
      start_line: e.startLine,
      end_line: e.endLine,
      snippet: e.snippet,
      why: e.why,
      hop: e.hop,
    })),
    nodes: answer.nodes,
    edges: answer.edges,
    cycles: answer.cycles,
    hubs: answer.hubs,
    mermaid: answer.mermaid,
    next_questions: answer.nextQuestions,
    truncated: answer.truncated,
    freshness: freshnessJson(answer.freshness),
  };
}
