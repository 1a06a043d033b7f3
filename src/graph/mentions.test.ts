/** Places that name a symbol without calling it, and constructors, which are called by the name of their type. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../test/workspace.ts';
import type { ReferenceKind } from '../model/records/symbol.ts';
import { type Edge, SymbolGraph } from './symbol-graph.ts';

const FILES: Readonly<Record<string, string>> = {
  'c/conf.h': '#define MAX_SLOTS 8\nint on_read(int fd);\n',
  'c/conf.c':
    '#include "conf.h"\nint on_read(int fd) {\n  return fd < MAX_SLOTS; // MAX_SLOTS\n}\n\n' +
    'void wire(struct job *job) {\n  void *handler = on_read;\n  add(job, on_read, "on_read");\n}\n',
  'py/limits.py':
    'EMPTY = (None, "")\n\n\nclass Pool:\n    size = 4\n\n    def __init__(self, n):\n        self.n = n\n\n' +
    '    def grow(self):\n        return self.size + 1\n',
  'py/use.py':
    'from py.limits import EMPTY as NOTHING, Pool\nfrom py import limits\n\n\ndef check(value, EMPTY=1):\n' +
    '    return value in NOTHING or EMPTY\n\n\ndef other(pool: Pool):\n    call(size=2)\n' +
    '    return f"{limits.EMPTY} EMPTY", pool.size, Pool(3)\n',
  'ts/flags.ts': 'export const fast = true;\nexport class Timer {\n  delay = 1;\n  constructor(n: number) {}\n}\n',
  'ts/use.ts':
    "import {\n  fast,\n  Timer,\n} from './flags';\n\nexport function run(t: Timer) {\n" +
    '  const made = new Timer(1);\n  return fast ? t.delay : { delay: 2, fast: made };\n}\n\n' +
    'export function shadow(fast: boolean) {\n  return fast;\n}\n\nexport { fast };\n',
  'swift/Buffer.swift':
    'struct Buffer {\n    var readable: Int { return 1 }\n    init(n: Int) {}\n    init(text: String) {}\n}\n\n' +
    'func drain(b: Buffer) -> Int {\n    let other = Buffer(n: 2)\n    return b.readable + other.readable\n}\n',
  'php/hooks.php':
    '<?php\nfunction on_init() {}\nclass Plugin {\n  public $json = 1;\n  public function json() {}\n' +
    "  public function boot() {\n    add_action('init', 'on_init');\n    add_action('load', [$this, 'json']);\n" +
    '    return $this->json;\n  }\n}\n',
  'ruby/job.rb':
    'class Job\n  attr_reader :state\n  before_run :check\n  def initialize(x)\n    @state = x\n  end\n' +
    '  def check\n    @check ||= state\n  end\nend\n\nJob.new(1)\n',
};

let space: Workspace;
let graph: SymbolGraph;
let pathOf: (file: number) => string;
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
  const { reader, view } = await space.openTree();
  graph = new SymbolGraph(reader, view);
  pathOf = (file) => view.files[file]!.path;
});
after(() => space.close());

const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
const show = ({ site, confidence }: Edge) =>
  `${pathOf(site.file)}:${site.reference.line}${confidence === 'exact' ? '' : ` ${confidence}`}`;
const placeOf = (qualified: string, nth = 0) =>
  graph
    .named(qualified.split(/\.|::|#/).at(-1)!)
    .filter((place) => graph.symbol(place).qualifiedName === qualified)
    .at(nth)!;
const mentions = (qualified: string, nth = 0) => graph.mentions(placeOf(qualified, nth)).map(show);

test('constants and macros that are read, in the text that holds them and not in comments', () => {
  assert.deepEqual(mentions('MAX_SLOTS'), ['c/conf.c:3']);
  assert.deepEqual(mentions('fast'), ['ts/use.ts:8']);
});

test('mentions follow import aliases and modules, never locals and arguments of the same name', () => {
  assert.deepEqual(mentions('EMPTY'), ['py/use.py:6', 'py/use.py:11']);
});

test('fields and properties of a value whose type is known', () => {
  assert.deepEqual(mentions('Pool.size'), ['py/limits.py:11', 'py/use.py:11']);
  assert.deepEqual(mentions('Timer.delay'), ['ts/use.ts:8']);
  assert.deepEqual(mentions('Buffer.readable'), ['swift/Buffer.swift:9', 'swift/Buffer.swift:9']);
  assert.deepEqual(mentions('Plugin::json'), ['php/hooks.php:9']);
  assert.deepEqual(mentions('Job#state'), ['ruby/job.rb:5', 'ruby/job.rb:8']);
});

test('functions passed as values are exact, functions named in a string are likely', () => {
  assert.deepEqual(mentions('on_read', 0), ['c/conf.c:7', 'c/conf.c:8']);
  assert.deepEqual(mentions('on_init'), ['php/hooks.php:7 likely']);
  assert.deepEqual(mentions('Plugin::json', 1), ['php/hooks.php:8 likely']);
  assert.deepEqual(mentions('Job#check'), ['ruby/job.rb:3 likely']);
});

test('a construction calls the constructor that accepts the arguments', () => {
  const callers = (qualified: string, nth = 0) => graph.references(placeOf(qualified, nth), CALLS).map(show);
  assert.deepEqual(callers('Pool.__init__'), ['py/use.py:11']);
  assert.deepEqual(callers('Timer.constructor'), ['ts/use.ts:7']);
  assert.deepEqual(callers('Buffer.init', 0), ['swift/Buffer.swift:8']);
  assert.deepEqual(callers('Buffer.init', 1), []);
  assert.deepEqual(callers('Job#initialize'), ['ruby/job.rb:12']);
});
