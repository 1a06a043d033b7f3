/** The graph as a drawing that Mermaid understands: certain edges as lines, others dotted. */
import type { ResearchEdge, ResearchNode } from '../../model/records/query.ts';

const MAX_NODES = 40;
const MAX_LABEL = 60;

export function drawMermaid(nodes: readonly ResearchNode[], edges: readonly ResearchEdge[]): string {
  const shown = nodes.slice(0, MAX_NODES);
  const names = new Map(shown.map((node, i) => [node.id, `n${i}`]));
  // A node stands before its first edge: the beginning of a drawing is a drawing.
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

/** Signs that would end a label or begin a shape are replaced. */
function labelOf({ label }: ResearchNode): string {
  return (
    label
      .replace(/["[\]{}|<>]/g, "'")
      .replace(/\s+/g, ' ')
      .slice(0, MAX_LABEL) || ' '
  );
}
