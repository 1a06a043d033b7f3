// A small shop in several languages, with a history of fixed dates: what the page shows of it is always the same.
import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FIRST = {
  'package.json': '{ "name": "shop", "version": "1.0.0" }\n',
  'README.md': '# Shop\n\nSells things. Prices are kept in cents.\n\n## Start\n\n```sh\nnpm start\n```\n',
  'docs/adr/0001-prices-in-cents.md':
    '# 1. Prices are kept in cents\n\nStatus: Accepted\n\n## Decision\n\nWe keep every price as a whole number of cents, because floats lose money.\n',
  'src/money/price.ts': `import { LIMIT } from './limits.ts';

/** A price in cents, never negative. */
export function price(cents: number): number {
  return Math.min(Math.max(0, Math.round(cents)), LIMIT);
}

/** Adds prices. */
export function addPrices(prices: readonly number[]): number {
  return prices.reduce((sum, each) => sum + price(each), 0);
}
`,
  'src/money/limits.ts':
    '/** No price is higher. */\nexport const LIMIT = 1_000_000;\nexport const CURRENCY = "EUR";\n',
  'src/money/format.ts':
    "import { CURRENCY } from './limits.ts';\nimport { price } from './price.ts';\n\nexport function formatPrice(cents: number): string {\n  return (price(cents) / 100).toFixed(2) + CURRENCY;\n}\n",
  'src/cart/cart.ts': `import { addPrices, price } from '../money/price.ts';

export interface Item {
  readonly name: string;
  readonly cents: number;
}

/** What lies in somebody's cart. */
export class Cart {
  readonly #items: Item[] = [];

  add(item: Item): void {
    this.#items.push({ ...item, cents: price(item.cents) });
  }

  total(): number {
    return addPrices(this.#items.map(({ cents }) => cents));
  }
}
`,
  'src/cart/discount.ts':
    "import type { Cart } from './cart.ts';\n\n/** TODO: round half down, as the law says. */\nexport function discounted(cart: Cart, percent: number): number {\n  return cart.total() * (1 - percent / 100);\n}\n",
  'src/cart/checkout.ts': `import { formatPrice } from '../money/format.ts';
import { Cart } from './cart.ts';
import { discounted } from './discount.ts';

/** Ends a purchase and says what it costs. */
export function checkout(cart: Cart, percent = 0): string {
  const cents = percent > 0 ? discounted(cart, percent) : cart.total();
  return \`To pay: \${formatPrice(cents)}\`;
}
`,
  'src/web/server.ts': `import { Cart } from '../cart/cart.ts';
import { checkout } from '../cart/checkout.ts';

const carts = new Map<string, Cart>();

export function handle(path: string, visitor: string): string {
  const cart = carts.get(visitor) ?? new Cart();
  carts.set(visitor, cart);
  if (path === '/checkout') return checkout(cart);
  if (path === '/discount') return checkout(cart, 10);
  return 'Not found';
}
`,
  'src/web/main.ts':
    "import { handle } from './server.ts';\n\nexport function main(): void {\n  console.log(handle('/checkout', 'somebody'));\n}\n",
  'src/web/routes.ts': "export const ROUTES = ['/checkout', '/discount'];\n",
  'tools/report.py': `"""Prints what was sold."""


def read_sales(path):
    with open(path) as lines:
        return [line.strip() for line in lines]


def report(path):
    for sale in read_sales(path):
        print(sale)
`,
  'test/cart.test.ts':
    "import { Cart } from '../src/cart/cart.ts';\nimport { checkout } from '../src/cart/checkout.ts';\n\nexport function testCheckout() {\n  const cart = new Cart();\n  cart.add({ name: 'cup', cents: 250 });\n  return checkout(cart) === 'To pay: 2.50EUR';\n}\n",
  'src/long.ts': `${Array.from({ length: 3000 }, (_, i) => `export const value${i} = ${i};`).join('\n')}\n`,
};
const SECOND = {
  'src/money/price.ts': FIRST['src/money/price.ts'].replace(
    'A price in cents, never negative.',
    'A price in cents, never negative, never above the limit.',
  ),
};

/** Writes the project into a folder and commits it. */
export function writeProject(folder) {
  const git = (args, day) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@localhost', '-C', folder, ...args], {
      stdio: 'ignore',
      env: { ...process.env, GIT_AUTHOR_DATE: `${day}T12:00:00Z`, GIT_COMMITTER_DATE: `${day}T12:00:00Z` },
    });
  mkdirSync(folder, { recursive: true });
  git(['init', '-q', '-b', 'main'], '2024-03-01');
  for (const [files, message, day] of [
    [FIRST, 'Open the shop', '2024-03-01'],
    [SECOND, 'Bound prices, because a typing error sold a cup for a billion', '2024-05-20'],
  ]) {
    for (const [path, text] of Object.entries(files)) write(folder, path, text, day);
    git(['add', '-A'], day);
    git(['commit', '-qm', message], day);
  }
  git(['tag', 'v1', 'HEAD~1'], '2024-05-20');
}

function write(folder, path, text, day) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, new Date(`${day}T12:00:00Z`), new Date(`${day}T12:00:00Z`));
}
