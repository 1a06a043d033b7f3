/** One call of every tool of every profile, for clients that others wrote. A tool that is not named here fails the run. */
import type { ProfileName } from '../../src/contracts/index.ts';

export interface ToolCall {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** Set where the contract answers with an error: isError, or a JSON-RPC code. */
  readonly fails?: 'isError' | number;
}

export function toolCalls(project: string): Partial<Record<ProfileName, readonly ToolCall[]>> {
  return {
    sextant: [
      { tool: 'index_codebase', args: {} },
      { tool: 'search_code', args: { query: 'authenticate user' } },
      { tool: 'search_docs', args: { query: 'installation' } },
      { tool: 'locate_symbol', args: { name: 'cartTotal' } },
      { tool: 'code_research', args: { query: 'who calls price' } },
      { tool: 'read_file', args: { path: 'web/cart.ts' } },
      { tool: 'grep_codebase', args: { pattern: 'token' } },
      { tool: 'remember', args: { type: 'rule', content: 'Prices are in cents everywhere' } },
      { tool: 'context_search', args: { query: 'prices in cents' } },
      { tool: 'get_status', args: {} },
      { tool: 'search_code', args: { query: '' }, fails: 'isError' },
    ],
    gocontext: [
      { tool: 'index_codebase', args: { path: project } },
      { tool: 'search_code', args: { path: project, query: 'authenticate user' } },
      { tool: 'get_status', args: { path: project } },
      { tool: 'search_code', args: { path: project, query: ' ' }, fails: -32004 },
    ],
    swiftindex: [
      { tool: 'index_codebase', args: { path: project } },
      { tool: 'search_code', args: { query: 'authenticate', format: 'toon' } },
      { tool: 'search_docs', args: { query: 'installation' } },
      { tool: 'code_research', args: { query: 'who calls signIn' } },
      { tool: 'search_code', args: {}, fails: 'isError' },
    ],
  };
}
