/** Classes that code makes: bases that a call gives, and fields that a metaclass sets by name. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../../test/workspace.ts';
import { SymbolGraph } from '../../symbol-graph.ts';

const FILES: Readonly<Record<string, string>> = {
  'app/query.py': 'class Query:\n    def get(self):\n        pass\n\n    def only(self):\n        pass\n',
  'app/manager.py':
    'from app.query import Query\n\n\nclass BaseManager:\n    @classmethod\n    def from_query(cls, query):\n' +
    '        return type("M", (cls,), {})\n\n    def fresh(self):\n        pass\n\n\n' +
    'class Manager(BaseManager.from_query(Query)):\n    pass\n',
  'app/model.py':
    'from app.manager import Manager\n\n\nclass Meta(type):\n    def prepare(cls):\n        manager = Manager()\n' +
    '        cls.add("objects", manager)\n\n    def add(cls, name, value):\n        setattr(cls, name, value)\n\n\n' +
    'class Model(metaclass=Meta):\n    pass\n',
  'app/use.py':
    'from app.manager import Manager\nfrom app.model import Model\n\n\nclass Users(Manager):\n    pass\n\n\n' +
    'class Page(Model):\n    pass\n\n\nclass Person(Model):\n    objects = Users()\n\n\ndef use(found):\n' +
    '    Page.objects.get()\n    Person.objects.get()\n    Person.objects.fresh()\n    Page.others.get()\n' +
    '    found.get()\n',
};

let space: Workspace;
let graph: SymbolGraph;
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
  const { reader, view } = await space.openTree();
  graph = new SymbolGraph(reader, view);
});
after(() => space.close());

/** `NAME: LINE CONFIDENCE` of each call that may mean a method. */
function callsOf(name: string): string[] {
  const [target] = graph.named(name);
  return graph
    .references(target!, new Set(['call']))
    .map(({ site, confidence }) => `${site.reference.line} ${confidence}`);
}

test('members from computed bases, and of fields that a metaclass sets, are likely and never exact', () => {
  assert.deepEqual(callsOf('get'), ['18 likely', '19 likely', '21 ambiguous', '22 ambiguous']);
  assert.deepEqual(callsOf('fresh'), ['20 likely']);
});
