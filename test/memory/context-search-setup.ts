/** A project with memory for the tests of context_search. */
import { after, before } from 'node:test';
import type { Hit } from '../../src/model/records/query.ts';
import { type Workspace, workspace } from '../workspace.ts';

export let space: Workspace;

before(async () => {
  space = workspace({
    'package.json': '{"name": "shop", "private": true}\n',
    'docs/adr/0001-use-postgres.md':
      '# 1. Use Postgres for orders\n\n## Status\n\nAccepted\n\n## Context\n\nWe need transactions across tables.\n\n## Decision\n\nOrders are stored in Postgres.\n',
    'CONTRIBUTING.md': '# Contributing\n\n## Logging\n\nNever log a customer address; use the\ncustomer id instead.\n',
    'src/auth/token.ts':
      '/** Refreshes a token before it runs out. */\nexport function refreshToken(token: string): string {\n  // FIXME: two requests may refresh the same token at once\n  return token;\n}\n',
    'src/auth/session.ts': 'export function openSession(user: string): string {\n  return user;\n}\n',
    'src/billing/invoice.ts':
      '/** Sends the invoice of an order. */\nexport function sendInvoice(order: number): number {\n  return order;\n}\n',
    'src/billing/receipt.ts':
      '/** Sends the receipt of an order. */\nexport function sendReceipt(order: number): number {\n  return order;\n}\n',
  });
  space.git('init', '-q', '-b', 'main');
  space.git('add', '.');
  space.git(
    'commit',
    '-qm',
    'fix(billing): rounding of invoices was wrong\n\nCents were cut off instead of rounded, customers complained.',
  );
  await space.engine.index(space.root);
});

after(() => space.close());

export const search = (query: string, rest = {}) => space.engine.contextSearch(space.root, { query, ...rest });

export const contextOf = (hits: readonly Hit[], path: string) =>
  hits.find((hit) => hit.path === path)?.explanation?.find(({ feature }) => feature === 'context');
