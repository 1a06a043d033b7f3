/** Sources in many languages for the tests of resolving. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import type { ReferenceKind } from '../../model/records/symbol.ts';
import { SymbolGraph } from '../symbol-graph.ts';

const FILES: Readonly<Record<string, string>> = {
  'ts/package.json': '{ "name": "shop" }',
  'ts/auth.ts':
    "import { Store } from './store.js';\n\nexport class Auth {\n" +
    '  constructor(private readonly store: Store) {}\n  refresh() {\n    return this.store.load();\n  }\n}\n\n' +
    'export function load() {}\nexport function createAuth(): Auth {\n  return new Auth(new Store());\n}\n',
  'ts/store.ts': 'export class Base {\n  load() {}\n}\n\nexport class Store extends Base {}\n',
  'ts/index.ts': "export * from './auth.js';\nexport { Store as Shop } from './store.js';\n",
  'ts/use.ts':
    "import { readFile } from 'node:fs';\nimport { createAuth, Shop } from './index.js';\n\n" +
    "export function use(load: () => void) {\n  load();\n  readFile('x');\n  const auth = createAuth();\n" +
    '  auth.refresh();\n  new Shop().load();\n}\n\nfunction readFileToo() {}\n',
  'ts/fs.ts': 'export function readFile() {}\n',
  'ts/blocks.ts':
    "describe('a', () => {\n  const step = () => 1\n  it('one', () => {\n    step()\n  })\n})\n\n" +
    "describe('b', () => {\n  const step = () => 2\n  it('two', () => {\n    step()\n  })\n})\n",
  'js/lib/app.js':
    'var app = exports = module.exports = {};\n\napp.use = function use() {\n  this.handle();\n};\n\n' +
    'app.handle = function handle() {};\n',
  'js/lib/make.js':
    'exports = module.exports = create;\n\nfunction create() {}\n\nexports.json = function json() {};\n',
  'js/index.js': "'use strict';\nmodule.exports = require('./lib/make');\n",
  'js/use.js':
    "var make = require('./');\nvar app = require('./lib/app');\nconst { json } = require('./lib/make');\n\n" +
    'make();\napp.use();\njson();\nmake.json();\n',
  'py/app/__init__.py': '',
  'py/app/client.py':
    'from .base import Base\nfrom os import path\n\n\nclass Client(Base):\n    def __init__(self):\n' +
    '        super().__init__()\n        self.pool = Pool()\n\n    def get(self):\n        self.pool.take()\n' +
    '        self.close()\n        path.join("a")\n\n\nclass Pool:\n    def take(self):\n        pass\n\n' +
    '    def join(self):\n        pass\n',
  'py/app/base.py': 'class Base:\n    def __init__(self):\n        pass\n\n    def close(self):\n        pass\n',
  'py/tests/test_client.py':
    'from app.client import Client\n\n\ndef test_get(close):\n    close()\n    with Client() as client:\n' +
    '        client.get()\n',
  'js/apply.js':
    "import { make } from './made.js';\n\nconst client = new Client();\n\nclass Client {\n  call() {}\n" +
    "  start() {\n    make.call(this);\n    make.apply(this, []);\n    client.call('x');\n" +
    '    this.stop.call(this);\n    return this.stop.bind(this) || make.bind(this)\n' +
    '      || performance.make.bind(this);\n  }\n  stop() {}\n}\n',
  'js/made.js': 'export function make() {}\n',
  'py/app/text.py':
    'from app.client import Pool\n\n\ndef glue(parts):\n    b",".join(parts)\n    f"{parts}".join(parts)\n' +
    '    (f"{parts}").join(parts)\n    known = {"a": Pool()}\n    known.join(parts)\n    known["a"].join()\n' +
    '    parts.join()\n',
  'py/app/wrap.py':
    'class Wrap:\n    def fetch(self, inner):\n        return inner.fetch()\n\n    def other(self, inner):\n' +
    '        return inner.fetch()\n',
  'py/app/disk.py': 'class Disk:\n    def fetch(self):\n        pass\n',
  'py/app/code.py': 'class Code(int):\n    def __new__(cls, value):\n        return int.__new__(cls, value)\n',
  'go/go.mod': 'module example.com/tool\n',
  'go/cmd.go':
    'package tool\n\nimport "example.com/tool/flags"\n\ntype Command struct {\n\tset *flags.Set\n' +
    '\tparent *Command\n}\n\nfunc (c *Command) Root() *Command {\n\tif c.parent != nil {\n' +
    '\t\treturn c.parent.Root()\n\t}\n\treturn c\n}\n\nfunc (c *Command) Run() {\n\tc.Root().set.Parse()\n' +
    '\tparent := &Command{}\n\tparent.Help()\n\tfor _, each := range flags.All() {\n\t\teach.Parse()\n\t}\n}\n',
  'go/help.go': 'package tool\n\nfunc (c *Command) Help() { Print("x") }\n\nfunc Print(s string) {}\n',
  'go/flags/flags.go':
    'package flags\n\ntype Set struct{}\n\nfunc (s *Set) Parse() {}\n\nfunc All() []*Set { return nil }\n',
  'go/table_test.go':
    'package tool\n\nimport "example.com/tool/flags"\n\nfunc TestTable() {\n\tsets := []flags.Set{{}}\n' +
    '\tfor _, each := range sets {\n\t\teach.Parse()\n\t}\n\tpairs := [][2]*flags.Set{\n\t\t{nil, nil},\n\t}\n' +
    '\tfor _, pair := range pairs {\n\t\tpair[0].Parse()\n\t}\n\tnamed := map[string]flags.Set{\n\t\t"a": {},\n' +
    '\t}\n\tnamed["a"].Parse()\n\tfor _, each := range named {\n\t\teach.Parse()\n\t}\n' +
    '\tfor _, each := range []*flags.Set{nil} {\n\t\teach.Parse()\n\t}\n\tnames := []string{"a"}\n' +
    '\tnames[0].Parse()\n}\n',
  'java/a/src/com/acme/Json.java':
    'package com.acme;\n\npublic class Json extends Node {\n' +
    '  public String write(Object value) { return write(value, null); }\n' +
    '  public String write(Node node) { return ""; }\n' +
    '  public String write(Object value, String type) { return ""; }\n}\n',
  'java/c/src/com/acme/Marks.java':
    'package com.acme;\n\nimport javax.model.Tag;\n\nclass Marks {\n  void mark(Iterable<Tag> tags) {}\n' +
    '  void mark(Tag... tags) {}\n  void go() {\n    mark(Tag.FIRST);\n  }\n}\n',
  'java/b/src/com/acme/Node.java':
    'package com.acme;\n\npublic class Node {\n  public Node self() { return this; }\n' +
    '  public int size() { return 0; }\n}\n',
  'java/b/src/com/other/Use.java':
    'package com.other;\n\nimport com.acme.Json;\nimport com.acme.Node;\n\nclass Use {\n  private int size;\n' +
    '  void run(Json json) {\n    json.write("text");\n    json.write(new Node());\n' +
    '    new Json().self().size();\n  }\n}\n',
  'rust/Cargo.toml': '[package]\nname = "my-app"\n',
  'rust/src/lib.rs':
    'pub mod net;\npub use net::Client;\n\npub fn start() {\n    let client = Client::new();\n' +
    '    client.send();\n    net::tcp::open();\n}\n',
  'rust/src/net/mod.rs':
    'pub mod tcp;\n\npub struct Client;\n\nimpl Client {\n    pub fn new() -> Self {\n        Client\n    }\n' +
    '}\n\npub trait Talk {\n    fn send(&self) {}\n}\n\nimpl Talk for Client {}\n',
  'rust/src/net/tcp.rs': 'pub fn open() {}\n',
  'rust/src/dial.rs':
    'use crate::net::{Client, Talk};\n\npub struct Line;\n\nimpl Line {\n    pub fn send(&self) {}\n}\n\n' +
    'type Result<T> = std::result::Result<T, Error>;\n\nfn dial() -> anyhow::Result<Client> {\n    todo!()\n}\n\n' +
    'fn line() -> Result<Line> {\n    todo!()\n}\n\nfn talk() -> Option<()> {\n    dial()?.send();\n' +
    '    line()?.send();\n    let held = line()?;\n    held.send();\n}\n',
  'c/lib.h': '#ifndef LIB_H\n#define LIB_H\nint lib_open(void);\nint lib_close(void);\n#endif\n',
  'c/unix.c':
    '#include "lib.h"\nint lib_open(void) { return 1; }\nint lib_close(void) { return 0; }\n' +
    'static int hidden(void) { return 1; }\n',
  'c/win.c': '#include "lib.h"\nint lib_open(void) { return 2; }\n',
  'c/main.c': '#include "lib.h"\nint main(void) {\n  lib_open();\n  lib_close();\n  hidden();\n  return 0;\n}\n',
  'cpp/include/db/table.h':
    '#pragma once\nnamespace db {\nclass Base {\n public:\n  int Size();\n};\nclass Table : public Base {\n' +
    ' public:\n  void Put(int key);\n  void Put(const char* key, int value);\n private:\n  Base* other_;\n};\n' +
    'void Encode(int value);\n}\n',
  'cpp/table.cc':
    '#include "db/table.h"\nnamespace db {\nvoid Encode(int value) {}\nvoid Table::Put(int key) {\n' +
    '  Encode(key);\n  other_->Size();\n  Put("x", 1);\n}\n}\n',
  'cpp/main.cc':
    '#include "db/table.h"\nusing db::Table;\nint main() {\n  Table* table = new Table();\n  table->Put(3);\n' +
    '  table->Size();\n}\n',
  'kt/common/Clock.kt': 'package acme\n\nexpect class Clock {\n  fun now(): Int\n}\n',
  'kt/jvm/Clock.kt': 'package acme\n\nactual class Clock {\n  actual fun now(): Int = 1\n}\n',
  'kt/jvm/Run.kt':
    'package acme\n\nclass Run(private val clock: Clock) {\n  fun go() {\n    clock.now()\n    clock.twice()\n' +
    '    helper()\n  }\n}\n\nfun Clock.twice() = now() * 2\n',
  'kt/jvm/Handle.kt':
    'package acme\n\nimport java.io.RandomAccessFile\n\nclass Handle(private val file: RandomAccessFile) {\n' +
    '  fun go() {\n    file.seek(1)\n    file.whole()\n  }\n}\n\nfun Clock.seek(at: Long) = at\n\n' +
    'fun RandomAccessFile.whole() = 1\n',
  'kt/jvm/Helper.kt': 'package acme\n\nfun helper() {}\n',
  'cs/Service.cs':
    'namespace Acme.Core;\n\npublic static class Extensions {\n' +
    '  public static int Twice(this string text) { return 2; }\n}\n\npublic class Service {\n' +
    '  private readonly Store _store = new Store();\n  public void Run() {\n    _store.Save();\n' +
    '    "x".Twice();\n  }\n}\n',
  'cs/Store.cs': 'namespace Acme.Core;\n\npublic partial class Store {\n  public void Save() { Log(); }\n}\n',
  'cs/Store.Log.cs': 'namespace Acme.Core;\n\npublic partial class Store {\n  private void Log() {}\n}\n',
  'php/composer.json': '{ "autoload": { "psr-4": { "App\\\\": "src/" } } }',
  'php/src/Base.php': '<?php\nnamespace App;\n\nclass Base {\n  public function boot() {}\n}\n',
  'php/src/Kernel.php':
    '<?php\nnamespace App;\n\nclass Kernel extends Base {\n  public function boot() {\n    parent::boot();\n' +
    '    $mailer = new Mailer();\n    $mailer->send();\n  }\n}\n',
  'php/src/Mailer.php': '<?php\nnamespace App;\n\nclass Mailer {\n  public function send() {}\n}\n',
  'rb/lib/shop.rb':
    'module Shop\n  class Cart\n    def initialize\n      @tax = Tax.new\n    end\n\n    def total\n      sum\n' +
    '      @tax.rate\n    end\n\n    def sum\n    end\n  end\n\n  class Tax\n    def rate\n    end\n  end\nend\n',
  'ex/lib/shop/memory.ex': 'defmodule Shop.Memory do\n  @behaviour Shop.Store\n  def get(key), do: key\nend\n',
  'ex/lib/shop/store.ex': 'defmodule Shop.Store do\n  @callback get(key :: any) :: any\nend\n',
  'ex/lib/shop.ex':
    'defmodule Shop.Cart do\n  alias Shop.Tax\n\n  def total(cart) do\n    cart |> sum() |> Tax.add()\n  end\n\n' +
    '  defp sum(cart), do: cart\nend\n\ndefmodule Shop.Tax do\n  def add(value), do: value\n' +
    '  def add(value, rate), do: value * rate\nend\n',
  'lua/lua/app/util.lua': 'local M = {}\n\nfunction M.trim(text)\n  return text\nend\n\nreturn M\n',
  'lua/lua/app/init.lua': 'local util = require("app.util")\n\nutil.trim("x")\n',
  'zig/Ring.zig':
    'const Ring = @This();\n\npub fn push(self: *Ring) void {\n    self.grow();\n}\n\n' +
    'fn grow(self: *Ring) void {\n    _ = self;\n}\n',
  'zig/main.zig': 'const Ring = @import("Ring.zig");\n\npub fn run(ring: *Ring) void {\n    ring.push();\n}\n',
  'again/ts/inner.ts': 'export const arrow = () => 1;\nexport class Timer {}\n',
  'again/ts/index.ts': "export * as ns from './inner';\n",
  'again/ts/use.ts':
    "import { ns } from '.';\nimport { Timer } from './inner';\n\nexport async function run(t: Timer) {\n" +
    "  ns.arrow();\n  const lazy = await import('./inner');\n  lazy.arrow();\n  return new Timer();\n}\n",
  'again/py/pack/__init__.py': 'from . import inner as short\n',
  'again/py/pack/inner.py': 'def arrow():\n    pass\n',
  'again/py/use.py': 'from pack import short\n\n\ndef run():\n    short.arrow()\n',
  'again/rust/Cargo.toml': '[package]\nname = "again"\n',
  'again/rust/src/lib.rs':
    'mod net;\nuse net::{http, open};\n\npub fn run() {\n    http::get();\n    open();\n    net::get();\n' +
    '    net::close();\n}\n',
  'again/rust/src/net/mod.rs': 'pub mod http;\npub fn open() {}\npub fn close() {}\n',
  'again/rust/src/net/http.rs':
    'pub fn get() {\n    super::open();\n}\n\nfn close() {}\n\nmod tests {\n    fn closes() {\n' +
    '        super::close();\n        super::super::close();\n    }\n}\n',
  'again/php/util.php': '<?php\nnamespace Acme\\Util;\n\nfunction format($x) {}\n',
  'again/php/use.php': '<?php\nnamespace Acme;\n\nfunction run() {\n  \\Acme\\Util\\format(1);\n}\n',
  'again/cs/Store.cs':
    'namespace Again;\n\npublic class Items {\n  public object Find(int id) { return null; }\n' +
    '  public T Find<T>(int id) { return default; }\n  public void Run() {\n    Find(1);\n    Find<string>(1);\n' +
    '  }\n}\n',
  'again/cs/Step.cs': 'namespace Again;\n\npublic abstract class Step {\n  public abstract void Go();\n}\n',
  'again/cs/Step.T.cs': 'namespace Again;\n\npublic abstract class Step<T> {\n  public abstract void Go();\n}\n',
  'again/cs/Steps.cs':
    'namespace Again;\n\npublic class First : Step {\n  private readonly Step<int> next;\n' +
    '  public override void Go() {\n    next.Go();\n  }\n}\n\npublic class Second : Step<int> {\n' +
    '  private readonly Step next;\n  public override void Go() {\n    next.Go();\n  }\n}\n',
  'again/dart/b.dart': 'class Helper {}\n',
  'again/dart/a.dart': "import 'b.dart' as b;\n\nclass Use {\n  final b.Helper helper;\n  Use(this.helper);\n}\n",
  'swift/Package.swift': 'let package = Package(name: "App", targets: [.target(name: "App")])\n',
  'swift/Sources/App/Error.swift':
    'struct Failure {}\n\nextension Failure {\n    func wrap(or other: Int) -> Failure { self }\n' +
    '    func wrap(orFail message: String) -> Failure { self }\n}\n\nfunc run(failure: Failure) {\n' +
    '    failure.wrap(orFail: "x")\n}\n',
};

export let space: Workspace;

export let resolve: (path: string, line: number, name: string, kind?: ReferenceKind) => string;

before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
  const { reader, view } = await space.openTree();
  const graph = new SymbolGraph(reader, view);
  resolve = (path, line, name, kind = 'call') => {
    const file = view.indexOfPath(path);
    assert.ok(file >= 0, `${path} is indexed`);
    const reference = reader
      .detail(view.contentOf[file]!)
      .references.find((each) => each.kind === kind && each.line === line && each.name === name);
    assert.ok(reference, `${name} is called at ${path}:${line}`);
    const { confidence, targets } = graph.resolve({ file, reference });
    const shown = targets.map((place) => `${view.files[place.file]!.path}:${graph.symbol(place).nameLine}`);
    return targets.length === 0 ? 'nothing' : `${confidence} ${shown.join(' ')}`;
  };
});

after(() => space.close());
