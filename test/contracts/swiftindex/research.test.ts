/** swiftindex: code_research. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Message } from '../raw-client.ts';
import { box, client, gone, indexProject, refused, research } from './setup.ts';

before(indexProject);

test('research: conforming types, by extension too (SI-20)', async () => {
  const { structuredContent } = await research('all implementations of Authenticatable');
  const found = JSON.stringify(structuredContent.evidence) + JSON.stringify(structuredContent.graph.nodes);
  assert.match(found, /TokenAuthenticator/);
  assert.match(found, /SessionStore/);
});

test('research: callers and their callers (SI-23, SI-21, SI-30)', async () => {
  const hops: number[] = [];
  const result = await client.callTool(
    { name: 'code_research', arguments: { query: 'what calls signIn()', depth: 5 } },
    { onprogress: ({ progress }) => hops.push(progress) },
  );
  const { evidence, graph, depth } = result.structuredContent as Message;
  assert.equal(depth, 5);
  assert.ok(evidence.some(({ path }: Message) => path === 'Sources/Auth/Authenticatable.swift'));
  assert.ok(graph.nodes.length > 0 && graph.edges.length > 0);
  assert.ok(hops.length > 0);
  for (const wrong of [0, 6, 1.5])
    assert.equal(
      (await client.callTool({ name: 'code_research', arguments: { query: 'x', depth: wrong } })).isError,
      true,
    );
});

test('research: focus and errors (SI-22, SI-25, SI-26, SI-27, SI-28)', async () => {
  await refused('code_research', {}, 'Missing required argument: query');
  await refused('code_research', { query: ' ' }, 'Query cannot be empty');
  const analyses = new Set<string>();
  for (const focus of ['architecture', 'dependencies', 'patterns', 'flow']) {
    const {
      focus: told,
      query: _query,
      ...analysis
    } = (await research('how does signIn with a token work', { focus })).structuredContent;
    assert.equal(told, focus);
    analyses.add(JSON.stringify(analysis));
  }
  assert.ok(analyses.size > 1, 'every focus gives the same analysis');
  const { summary, graph } = (await research('system structure', { focus: 'architecture' })).structuredContent;
  assert.match(summary, /^\d+ modules?, the largest at /);
  assert.ok(graph.nodes.some(({ kind }: Message) => kind === 'module'));
  await refused('code_research', { query: 'x', path: gone }, `Path does not exist or is not a directory: ${gone}`);
  await refused(
    'code_research',
    { query: 'x', path: box.bare },
    `No index found for path: ${box.bare}. Run 'index_codebase' tool first.`,
  );
});
