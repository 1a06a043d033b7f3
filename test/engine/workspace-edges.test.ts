/** Edges from one repository of a workspace to another: by the package that one publishes, and over a wire. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../workspace.ts';

interface Published {
  readonly library: Readonly<Record<string, string>>;
  readonly user: Readonly<Record<string, string>>;
  readonly called: string;
  readonly caller: string;
}

const PACKAGES: Readonly<Record<string, Published>> = {
  npm: {
    library: {
      'package.json': '{"name":"@acme/npmlib","main":"src/index.ts"}',
      'src/index.ts': 'export function npmCharge(a: number) {\n  return a;\n}\n',
    },
    user: { 'src/pay.ts': "import { npmCharge } from '@acme/npmlib';\n\nexport const payNpm = () => npmCharge(1);\n" },
    called: 'npmCharge',
    caller: 'payNpm',
  },
  pypi: {
    library: {
      'pyproject.toml': '[project]\nname = "acme-pylib"\n',
      'src/acme_pylib/__init__.py': '',
      'src/acme_pylib/charge.py': 'def py_charge(a):\n    return a\n',
    },
    user: { 'app/pay.py': 'from acme_pylib.charge import py_charge\n\n\ndef pay_py():\n    return py_charge(1)\n' },
    called: 'py_charge',
    caller: 'pay_py',
  },
  go: {
    library: {
      'go.mod': 'module github.com/acme/golib\n\ngo 1.22\n',
      'charge/charge.go': 'package charge\n\nfunc GoCharge(a int) int { return a }\n',
    },
    user: {
      'go.mod': 'module github.com/acme/goapp\n\nrequire github.com/acme/golib v1.0.0\n',
      'pay/pay.go':
        'package pay\n\nimport "github.com/acme/golib/charge"\n\nfunc PayGo() int { return charge.GoCharge(1) }\n',
    },
    called: 'GoCharge',
    caller: 'PayGo',
  },
  cargo: {
    library: {
      'Cargo.toml': '[package]\nname = "acme-rslib"\nversion = "0.1.0"\n',
      'src/lib.rs': 'pub mod charge;\n',
      'src/charge.rs': 'pub fn rs_charge(a: u32) -> u32 {\n    a\n}\n',
    },
    user: {
      'Cargo.toml': '[package]\nname = "rs-app"\n\n[dependencies]\nacme-rslib = "0.1"\n',
      'src/main.rs': 'use acme_rslib::charge::rs_charge;\n\nfn pay_rs() -> u32 {\n    rs_charge(1)\n}\n',
    },
    called: 'rs_charge',
    caller: 'pay_rs',
  },
  maven: {
    library: {
      'pom.xml': '<project><groupId>com.acme</groupId><artifactId>mvnlib</artifactId></project>\n',
      'src/main/java/com/acme/mvnlib/Charger.java':
        'package com.acme.mvnlib;\n\npublic class Charger {\n  public static int mvnCharge(int a) { return a; }\n}\n',
    },
    user: {
      'src/main/java/com/acme/app/Pay.java':
        'package com.acme.app;\n\nimport com.acme.mvnlib.Charger;\n\npublic class Pay {\n  int payMvn() { return Charger.mvnCharge(1); }\n}\n',
    },
    called: 'mvnCharge',
    caller: 'payMvn',
  },
  composer: {
    library: {
      'composer.json': '{"name":"acme/phplib","autoload":{"psr-4":{"Acme\\\\PhpLib\\\\":"src/"}}}',
      'src/Charger.php':
        '<?php\nnamespace Acme\\PhpLib;\n\nclass Charger {\n    public static function phpCharge($a) { return $a; }\n}\n',
    },
    user: {
      'src/Pay.php':
        '<?php\nnamespace App;\n\nuse Acme\\PhpLib\\Charger;\n\nclass Pay {\n    function payPhp() { return Charger::phpCharge(1); }\n}\n',
    },
    called: 'phpCharge',
    caller: 'payPhp',
  },
  nuget: {
    library: {
      'Acme.NetLib.csproj': '<Project Sdk="Microsoft.NET.Sdk"></Project>\n',
      'Charger.cs':
        'namespace Acme.NetLib;\n\npublic class Charger\n{\n    public static int NetCharge(int a) => a;\n}\n',
    },
    user: {
      'Pay.cs':
        'using Acme.NetLib;\n\nnamespace App;\n\npublic class Pay\n{\n    public int PayNet() => Charger.NetCharge(1);\n}\n',
    },
    called: 'NetCharge',
    caller: 'PayNet',
  },
  swift: {
    library: {
      'Package.swift':
        'import PackageDescription\nlet package = Package(name: "swift-lib", targets: [.target(name: "AcmeSwiftLib")])\n',
      'Sources/AcmeSwiftLib/Charger.swift': 'public func swiftCharge(_ a: Int) -> Int {\n    return a\n}\n',
    },
    user: {
      'Sources/SwiftApp/main.swift': 'import AcmeSwiftLib\n\nfunc paySwift() -> Int {\n    return swiftCharge(1)\n}\n',
    },
    called: 'swiftCharge',
    caller: 'paySwift',
  },
};

const WIRE: Readonly<Record<string, string>> = {
  'orders/main.go':
    'package main\n\nfunc createOrder(c *gin.Context) {}\n\nfunc showOrder(c *gin.Context) {}\n\nfunc main() {\n\tr := gin.Default()\n\tr.POST("/orders", createOrder)\n\tr.GET("/orders/:id", showOrder)\n}\n',
  'orders/orders.proto':
    'syntax = "proto3";\n\nservice Orders {\n  rpc PlaceOrder (PlaceRequest) returns (PlaceReply);\n}\n',
  'orders/schema.graphql': 'type Query {\n  order(id: ID!): Order\n}\n\ntype Order {\n  id: ID!\n}\n',
  'shop/checkout.ts': `export async function checkout(card: string) {\n  return axios.post('/orders', { card });\n}\n\nexport async function remove(id: string) {\n  return axios.delete(\`/orders/\${id}\`);\n}\n\nconst client = new OrdersClient('localhost');\n\nexport function viaRpc() {\n  return client.placeOrder({ card: 'x' });\n}\n\nexport const ORDER = gql\`\n  query GetOrder($id: ID!) {\n    order(id: $id) { id }\n  }\n\`;\n`,
  'shop/other.ts': 'export function placeOrderForm(form: any) {\n  return form.placeOrder();\n}\n',
  'jobs/nightly.py':
    'import requests\n\nBASE = "http://orders"\n\n\ndef nightly(order):\n    return requests.get(f"{BASE}/orders/{order}")\n',
};

let space: Workspace;
before(async () => {
  const files = new Map(Object.entries(WIRE));
  for (const [name, { library, user }] of Object.entries(PACKAGES)) {
    for (const [path, text] of Object.entries(library)) files.set(`${name}-lib/${path}`, text);
    for (const [path, text] of Object.entries(user)) files.set(`${name}-app/${path}`, text);
  }
  space = workspace(Object.fromEntries(files));
  const names = [...new Set([...files.keys()].map((path) => path.split('/')[0]!))];
  for (const name of names) await space.engine.index(join(space.root, name));
  const at = (some: readonly string[]) => some.map((name) => join(space.root, name));
  await space.engine.addToWorkspace('packages', at(names.filter((name) => /-(?:lib|app)$/.test(name))));
  await space.engine.addToWorkspace('wire', at(['orders', 'shop', 'jobs']));
});
after(() => space.close());

const ask = (scope: string, query: string) => space.engine.research(`workspace:${scope}`, { query, depth: 1 });

for (const [name, { called, caller }] of Object.entries(PACKAGES))
  test(`${name}: a call of another repository's package leads to its definition, and back`, async () => {
    const back = await ask('packages', `who calls ${called}`);
    assert.match(back.summary, new RegExp(`${caller}\\b.* calls .*${called} at ${name}-app/`));
    assert.equal(back.edges[0]?.confidence, 'exact');
    const there = await ask('packages', `what does ${caller} call`);
    assert.ok(there.nodes.some(({ path }) => path.startsWith(`${name}-lib/`)));
  });

test('an address that a client asks for leads to the function that serves it, and back', async () => {
  const served = await ask('wire', 'who calls createOrder');
  assert.match(served.summary, /checkout calls createOrder over POST \/orders at shop\/checkout\.ts:2 \(likely\)/);
  assert.doesNotMatch(served.summary, /nightly|remove/, 'another path');
  const shown = await ask('wire', 'who calls showOrder');
  assert.match(shown.summary, /nightly calls showOrder over GET \/orders\/\* at jobs\/nightly\.py:7 \(likely\)/);
  assert.doesNotMatch(shown.summary, /remove/, 'another method');
  assert.match((await ask('wire', 'what does nightly call')).summary, /showOrder over GET/);
});

test('an rpc of a service leads to the calls of its generated client, and back', async () => {
  const { summary } = await ask('wire', 'who calls PlaceOrder');
  assert.match(
    summary,
    /viaRpc calls Orders\.PlaceOrder over rpc Orders\.PlaceOrder at shop\/checkout\.ts:12 \(likely\)/,
  );
  assert.doesNotMatch(summary, /placeOrderForm/, 'a file that has no client of the service');
  assert.match((await ask('wire', 'what does viaRpc call')).summary, /Orders\.PlaceOrder over rpc/);
});

test('a field of a schema leads to the operations that select it, and back', async () => {
  assert.match(
    (await ask('wire', 'who uses Query.order')).summary,
    /ORDER .*over Query\.order at shop\/checkout\.ts:17/,
  );
  assert.match((await ask('wire', 'what does ORDER call')).summary, /Query\.order/);
});
