import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResearchAnswer } from '../../model/records/query.ts';
import { fitResearch } from './research-tool.ts';

const asked = { query: 'what calls validate', depth: 2 };
const SNIPPET = `\n  try request.validate() // ${'why and when, '.repeat(20)}\n`;

/** Every caller may mean any of the definitions, as with a method that many types have. */
function answerOf(definitions: number, callers: number): ResearchAnswer {
  const node = (name: string, hop: number) => ({
    id: `Sources/Feature/${name}.swift#${name}.validate:10`,
    label: `${name}.validate`,
    kind: 'method',
    path: `Sources/Feature/${name}.swift`,
    line: 10,
    hop,
  });
  const defined = Array.from({ length: definitions }, (_, i) => node(`Definition${i}`, 0));
  const calling = Array.from({ length: callers }, (_, i) => node(`Caller${i}`, 1));
  return {
    question: 'callers',
    summary: calling.map(({ label, path }) => `- ${label} calls validate at ${path}:10`).join('\n'),
    evidence: calling.map(({ path, label }) => ({
      path,
      startLine: 9,
      endLine: 11,
      snippet: SNIPPET,
      why: `${label} calls validate`,
      hop: 1,
    })),
    nodes: [...defined, ...calling],
    edges: defined.flatMap((to) =>
      calling.map((from) => ({
        from: from.id,
        to: to.id,
        kind: 'calls',
        confidence: 'ambiguous' as const,
        path: from.path,
        line: 10,
      })),
    ),
    cycles: [],
    hubs: defined.map(({ id }) => ({ id, degree: callers })),
    mermaid: ['flowchart LR', ...calling.map((_, i) => `  n${i} -.->|calls| n${callers}`)].join('\n'),
    nextQuestions: ['what does Definition0.validate call'],
    truncated: false,
    freshness: { status: 'fresh', pending: [], ref: 'main', indexedAtMs: 0 },
  };
}

test('an answer within the budget is unchanged', () => {
  const answer = answerOf(2, 3);
  const { evidence, ...told } = fitResearch(asked, answer);
  assert.deepEqual(told, {
    ...asked,
    question: 'callers',
    summary: answer.summary,
    truncated: false,
    graph: { nodes: answer.nodes, edges: answer.edges },
    cycles: [],
    hubs: answer.hubs,
    mermaid: answer.mermaid,
    next_questions: answer.nextQuestions,
  });
  assert.deepEqual((evidence as object[])[0], {
    path: 'Sources/Feature/Caller0.swift',
    snippet: SNIPPET,
    why: 'Caller0.validate calls validate',
    hop: 1,
    start_line: 9,
    end_line: 11,
  });
});

test('a large answer keeps its summary and a share of each other part, and counts omissions', () => {
  const answer = answerOf(8, 60);
  const told = fitResearch(asked, answer);
  assert.ok(Buffer.byteLength(JSON.stringify(told)) <= 28_000);
  assert.equal(told.summary, answer.summary);
  assert.equal(told.truncated, true);
  const { nodes, edges } = told.graph as Pick<ResearchAnswer, 'nodes' | 'edges'>;
  const evidence = told.evidence as readonly unknown[];
  assert.deepEqual(
    [nodes.length + Number(told.more_nodes), edges.length + Number(told.more_edges)],
    [answer.nodes.length, answer.edges.length],
  );
  assert.equal(evidence.length + Number(told.more_evidence), answer.evidence.length);
  assert.ok(evidence.length > 5 && edges.length > 5, `${evidence.length} places, ${edges.length} edges`);
  const ids = new Set(nodes.map(({ id }) => id));
  for (const { from, to } of edges) assert.ok(ids.has(from) && ids.has(to), 'a loose end');
  assert.deepEqual(edges, answer.edges.slice(0, edges.length));
});

test('an endless summary is cut at a line end, and the answer stays within its budget', () => {
  const told = fitResearch(asked, answerOf(1, 2000));
  assert.ok(Buffer.byteLength(JSON.stringify(told)) <= 28_000);
  assert.match(String(told.summary), /\.swift:10\n… \d+ more lines$/);
  assert.equal(told.truncated, true);
});

test('if not all evidence fits, every hop gets a share, in order (SI-21, SI-45)', () => {
  const answer = answerOf(1, 200);
  const [place] = answer.evidence;
  const farther = [2, 3, 4, 5].flatMap((hop) =>
    Array.from({ length: 3 }, (_, i) => ({ ...place!, path: `Sources/Far/Hop${hop}-${i}.swift`, hop })),
  );
  const { evidence } = fitResearch(asked, { ...answer, evidence: [...answer.evidence, ...farther] }) as {
    evidence: { hop: number }[];
  };
  const hops = evidence.map(({ hop }) => hop);
  assert.deepEqual([...new Set(hops)], [1, 2, 3, 4, 5]);
  assert.deepEqual(hops, [...hops].sort());
});
