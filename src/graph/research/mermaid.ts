/** Draws the graph of an answer in Mermaid's syntax: exact edges as lines, others dotted. */
import type { ResearchEdge, ResearchNode } from '../../model/records/query.ts';

const MAX_NODES = 40;
const MAX_LABEL = 60;

export function drawMermaid(nodes: readonly ResearchNode[], edges: readonly ResearchEdge[]): string {
  const shown = nodes.slice(0, MAX_NODES);
  const names = new Map(shown.map((node, i) => [node.id, `n${i}`]));
  // Each node is declared right before its first edge, so a drawing that a client cuts off is still valid.
  const declared = new Set<string>();
  const lines: string[] = [];
  const declare = (node: ResearchNode) => {
    if (!declared.has(node.id)) lines.push(`  ${names.get(node.id)}["${labelOf(node)}"]`);
    declared.add(node.id);
  };
  const byId = new Map(shown.map((node) => [node.id, node]));
  for (const { from, to, kind, confidence } of edges) {
    const [start, end] = [byId.get(from), byId.get(to)];
    if (!start || !end) continue;
    declare(start);
    declare(end);
    lines.push(`  ${names.get(from)} ${confidence === 'exact' ? '-->' : '-.->'}|${kind}| ${names.get(to)}`);
  }
  shown.forEach(declare);
  return shown.length > 0 ? `flowchart LR\n${lines.join('\n')}` : '';
}

/** Replaces characters that would end a label or begin a shape. */
function labelOf({ label }: ResearchNode): string {
  return (
    label
      .replace(/["[\]{}|<>]/g, "'")
      .replace(/\s+/g, ' ')
      .slice(0, MAX_LABEL) || ' '
  );
}
