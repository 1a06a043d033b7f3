import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointText, isJoined, readEndpoints } from './http-endpoints.ts';
import { readOperations } from './operations.ts';

const SERVED: Readonly<Record<string, string>> = {
  '@app.get("/orders/{id}")': 'GET /orders/* ',
  '@app.route("/orders", methods=["POST"])': 'POST /orders ',
  '    @GetMapping("/orders")': 'GET /orders ',
  '  @Get("orders/:id")': 'GET /orders/* ',
  '#[post("/orders")]': 'POST /orders ',
  '    [HttpDelete("orders/{id}")]': 'DELETE /orders/* ',
  "app.get('/orders', listOrders);": 'GET /orders listOrders',
  "router.post('/orders', auth, orders.create)": 'POST /orders create',
  "app.get('/orders', (req, res) => res.send(1));": 'GET /orders ',
  'mux.HandleFunc("POST /orders", placeOrder)': 'POST /orders placeOrder',
  'http.HandleFunc("/orders", placeOrder)': '/orders placeOrder',
  '    .route("/orders", get(list_orders))': 'GET /orders list_orders',
  "Route::get('/orders', [OrderController::class, 'show']);": 'GET /orders show',
  "    path('orders/<int:id>/', views.show_order),": '/orders/* show_order',
  "  get '/orders', to: 'orders#index'": 'GET /orders index',
};
const ASKED: Readonly<Record<string, string>> = {
  "await fetch('/orders', { method: 'POST' })": 'POST /orders',
  [`const r = await fetch(\`\${API}/orders/\${id}\`);`]: '/orders/*',
  "return axios.get('/orders', { params });": 'GET /orders',
  "this.http.get<Order[]>('/orders')": 'GET /orders',
  'requests.post(f"{BASE}/orders", json=body)': 'POST /orders',
  'requests.get(BASE + "/orders?page=1")': 'GET /orders',
  'resp, err := http.Get("http://api/orders")': 'GET /orders',
  'http.NewRequest("PUT", "http://api/orders", nil)': 'PUT /orders',
};

test('routes are read as frameworks write them, with the function that serves them', () => {
  for (const [line, expected] of Object.entries(SERVED)) {
    const [found] = readEndpoints([line]);
    assert.equal(found && `${found.side} ${endpointText(found)} ${found.handler}`, `serves ${expected}`, line);
  }
});

test('addresses are read from requests of clients', () => {
  for (const [line, expected] of Object.entries(ASKED)) {
    const [found] = readEndpoints([line]);
    assert.equal(found && `${found.side} ${endpointText(found)}`, `asks ${expected}`, line);
  }
});

test('an address without literal segments, and a call that is no request, are ignored', () => {
  for (const line of [
    'fetch(url)',
    `axios.get(\`/\${path}\`)`,
    "map.get('/orders')",
    "cache.get('/orders', fallback())",
    "import x from '/orders';",
    `app.get('/orders', ${'x'.repeat(500)})`,
  ])
    assert.deepEqual(
      readEndpoints([line]).filter(({ side }) => side === 'asks'),
      [],
      line,
    );
});

test('paths match segment by segment, methods where both are known', () => {
  const served = (line: string) => readEndpoints([line])[0]!;
  const route = served("app.get('/orders/:id/items', f)");
  const isAsked = (line: string) => isJoined(route, served(line));
  assert.ok(isAsked("fetch('/orders/1/items')"));
  assert.ok(isAsked(`axios.get(\`/orders/\${id}/items\`)`));
  assert.ok(!isAsked(`axios.post(\`/orders/\${id}/items\`)`));
  assert.ok(!isAsked("axios.get('/orders/1')"));
  assert.ok(!isAsked("axios.get('/orders/1/lines')"));
});

test('operations have the fields of their first level, without aliases and arguments', () => {
  const code =
    'const q = gql`\n  query Get($id: ID!) {\n    first: order(id: $id) { id lines { name } }\n    cart { id }\n  }\n`;\n' +
    'function query(order) {\n  cart();\n}\n';
  assert.deepEqual(
    readOperations(code, false).map(({ root, name, line }) => `${root}.${name}:${line}`),
    ['Query.order:3', 'Query.cart:4'],
  );
  assert.deepEqual(
    readOperations('mutation { pay(id: 1) @include(if: true) { id } ...More }', true).map(
      ({ root, name }) => root + name,
    ),
    ['Mutationpay'],
  );
});
