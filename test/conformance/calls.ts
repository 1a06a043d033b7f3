/**
 * One call of every tool of every profile, for clients that others wrote. A tool that is not named here fails the run.
 */
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
      { tool: 'impact', args: { target: 'cartTotal' } },
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
    'context-tool': [
      { tool: 'remember', args: { type: 'rule', content: 'Prices are in cents everywhere', module: 'web' } },
      { tool: 'context_search', args: { query: 'prices in cents' } },
      { tool: 'read_file', args: { path: 'web/cart.ts', includeDeps: true } },
      { tool: 'grep_codebase', args: { pattern: 'token' } },
      { tool: 'read_file', args: { path: '../secret' }, fails: 'isError' },
      { tool: 'context_search', args: { query: 'ab' }, fails: 'isError' },
    ],
    codecompass: [
      { tool: 'index_status', args: {} },
      { tool: 'locate_symbol', args: { name: 'cartTotal' } },
      { tool: 'search_code', args: { query: 'authenticate user' } },
      { tool: 'search_code', args: {}, fails: 'isError' },
      { tool: 'sync_repo', args: {} },
      { tool: 'index_repo', args: {} },
    ],
    cortex: [
      { tool: 'cortex_search', args: { query: 'authenticate user', tags: ['code'] } },
      { tool: 'cortex_search', args: { query: ' ' }, fails: -32602 },
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
