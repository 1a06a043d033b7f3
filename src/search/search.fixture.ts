/** An index of small made-up files for the tests of search. */
import { after, before } from 'node:test';
import { type Workspace, workspace } from '../../test/workspace.ts';
import type { SearchFilters, SearchRequest } from '../model/records/query.ts';

const ROUTES = Array.from({ length: 30 }, (_, i) => [
  `web/routes/route${i}.ts`,
  `/** Handles invoice request number ${i}. */\nexport function route${i}() {\n  return 'invoice ${i}';\n}\n`,
]);

export const FILES: Readonly<Record<string, string>> = {
  'src/invoice.ts': `import { money } from './money.ts';

/** Computes the invoice total with taxes. */
export function invoiceTotal(lines: number[]): number {
  return money(lines.reduce((sum, line) => sum + line, 0));
}

export class InvoiceRepository {
  /** Stores an invoice. */
  save(invoice: object) {
    return invoice;
  }
}

export interface InvoicePrinter {
  print(): void;
}
`,
  'src/money.ts':
    'export function money(amount: number) {\n  // rounds half up, as the tax office wants it\n' +
    '  return Math.round(amount);\n}\n',
  'src/invoice.test.ts':
    "import { invoiceTotal } from './invoice.ts';\n\ntest('invoice total', () => {\n  invoiceTotal([1]);\n});\n",
  'jobs/billing/send_invoice.py':
    'class InvoiceMailer:\n    """Sends an invoice by mail."""\n\n    def send(self, invoice):\n' +
    '        return invoice\n',
  'java/com/shop/Invoice.java':
    'package com.shop.billing;\n\npublic class Invoice {\n  public int total() {\n    return 1;\n  }\n}\n',
  'docs/invoices.md':
    '---\ntags: [finance, guide]\n---\n\n# Invoices\n\nAn invoice is sent once a month.\n\n## Retention\n\n' +
    'An invoice is kept for ten years.\n',
  'docs/notes.md': '---\ntags: [finance]\n---\n\n# Notes\n\nThe invoice numbers are consecutive.\n',
  ...Object.fromEntries(ROUTES),
};

export let space: Workspace;

before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
});

after(() => space.close());

export const search = (query: string, rest: Omit<SearchRequest, 'query'> = {}) =>
  space.engine.search(space.root, { query, ...rest });

/** The paths of a keyword search: its filters are under test, not the trained floor that drops weak hits. */
export const paths = async (query: string, filters: SearchFilters, limit = 50) =>
  [...new Set((await search(query, { filters, limit, mode: 'keyword' })).hits.map(({ path }) => path))].sort();
