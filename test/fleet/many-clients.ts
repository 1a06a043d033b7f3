/** Clients that ask at the same time, each over a connection of its own, and the answers they got. */
import type { Client } from '@modelcontextprotocol/client';
import { askTool, type NodeUnderTest } from './fleet-node.ts';

export interface Asked {
  readonly text: string;
  readonly isError: boolean;
  readonly ms: number;
}

/** Clients are spread over the nodes in turn. */
export async function connectClients(nodes: readonly NodeUnderTest[], count: number, subject: string) {
  const clients: Client[] = [];
  for (let i = 0; i < count; i++) clients.push(await nodes[i % nodes.length]!.client(subject));
  return clients;
}

/** Every client asks one question after the other until `isOver`, and at least once. */
export async function askTogether(
  clients: readonly Client[],
  argsOf: (client: number, round: number) => Record<string, unknown>,
  isOver: (round: number) => boolean,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  await Promise.all(
    clients.map(async (client, i) => {
      for (let round = 0; round === 0 || !isOver(round); round++) {
        const started = performance.now();
        const { text, isError } = await askTool(client, 'search_code', argsOf(i, round));
        asked.push({ text, isError, ms: performance.now() - started });
      }
    }),
  );
  return asked;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
