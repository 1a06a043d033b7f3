/** The strongly connected components of a directed graph (Tarjan): each has the nodes that reach one another. */
export function stronglyConnected(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const isOnStack = new Set<string>();
  const components: string[][] = [];
  const visit = (node: string) => {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    stack.push(node);
    isOnStack.add(node);
    for (const other of next.get(node) ?? []) {
      if (!order.has(other)) visit(other);
      if (isOnStack.has(other)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(other)!));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    for (const each of component) isOnStack.delete(each);
    components.push(component);
  };
  for (const node of [...next.keys()].sort()) if (!order.has(node)) visit(node);
  return components;
}
