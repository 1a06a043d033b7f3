/** What holds for every profile: each tool is described in full, and the instructions are short. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Icon, loadProfile, SERVED_PROFILES } from '../../src/contracts/index.ts';
import { toolToWire } from '../../src/transports/protocol/wire-shape.ts';
import { noEngine } from './toy-profile.ts';

for (const name of SERVED_PROFILES)
  test(`${name}: title, schemas and annotations of every tool, real icons; instructions under 2 KB that name each tool`, async () => {
    const profile = await loadProfile(name, {
      workspace: null,
      version: '1',
      log: () => {},
      engine: async () => noEngine,
    });
    assert.ok(Buffer.byteLength(profile.instructions) < 2048, `${profile.instructions.length} characters`);
    for (const tool of profile.tools.list()) {
      const wire = toolToWire(tool, { version: '2025-11-25', tasks: 'slot', showsViews: false });
      assert.ok(profile.instructions.includes(tool.name), `${tool.name} is not in the instructions`);
      assert.ok(String(wire.title).length > 0 && String(wire.description).length > 0, tool.name);
      for (const schema of [wire.inputSchema, wire.outputSchema] as { type: string }[])
        assert.equal(schema.type, 'object', tool.name);
      const hints = wire.annotations as Record<string, boolean>;
      assert.equal(typeof hints.readOnlyHint, 'boolean', tool.name);
      assert.equal(hints.openWorldHint, false, tool.name);
      // What only reads destroys nothing and can be repeated: the protocol gives the other two a meaning for tools that
      // write.
      if (!hints.readOnlyHint)
        assert.deepEqual([hints.destructiveHint, hints.idempotentHint], [false, true], tool.name);
      // A real picture, or none.
      if (wire.icons !== undefined) checkIcons(wire.icons as readonly Icon[], tool.name);
    }
    checkIcons(profile.serverInfo.icons ?? [], 'the server');
  });

/** As the protocol's schema has it: an address, of the characters that RFC 3986 lets stand in one. */
function checkIcons(icons: readonly Icon[], what: string): void {
  assert.ok(icons.length > 0, what);
  for (const { src } of icons)
    assert.match(src, /^data:image\/svg\+xml,(?:[\w.~:/?@!$&'()*+,;=-]|%[\dA-F]{2})+$/, what);
}
