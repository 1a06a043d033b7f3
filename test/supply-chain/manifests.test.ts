/**
 * The manifests of dist/manifests against the rules of those who read them. `npm run test:package` runs the published
 * schemas and validators; these are their rules for the fields that we use, without a network:
 * server.json: modelcontextprotocol/registry, docs/reference/server-json (the draft schema) and, for npm packages,
 * docs/modelcontextprotocol-io/package-types (`mcpName`); the bundle: anthropics/mcpb, src/schemas/0.3.ts, a strict
 * schema; the plugin: anthropics/claude-code, manifest-reference.md. The rules of fields that we use, and no other
 * field is let through.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { makeManifests } from '../../scripts/manifests.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const about = json('package.json');

/** A version, and no range of them. */
const exactVersion = z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
const author = z.strictObject({ name: z.string().min(1) });

const serverJson = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: exactVersion,
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version: exactVersion,
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
    }),
  ),
});

const bundle = z.strictObject({
  manifest_version: z.literal('0.3'),
  name: z.string(),
  display_name: z.string(),
  version: exactVersion,
  description: z.string(),
  author,
  license: z.string(),
  keywords: z.array(z.string()),
  server: z.strictObject({
    type: z.enum(['python', 'node', 'binary']),
    entry_point: z.string(),
    mcp_config: z.strictObject({ command: z.string(), args: z.array(z.string()) }),
  }),
  tools_generated: z.boolean(),
  prompts_generated: z.boolean(),
  compatibility: z.strictObject({
    platforms: z.array(z.enum(['darwin', 'win32', 'linux'])),
    runtimes: z.strictObject({ node: z.string() }),
  }),
  user_config: z.record(
    z.string(),
    z.strictObject({
      type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
      title: z.string(),
      description: z.string(),
      required: z.boolean(),
    }),
  ),
});

const plugin = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/),
  version: exactVersion,
  description: z.string().max(200),
  author,
  license: z.string(),
  keywords: z.array(z.string()),
  mcpServers: z.string().regex(/^\.\/(?!.*\.\.)[^\\]+$/),
});

test('the build writes the manifests that package.json makes', () => {
  const expected = makeManifests(about, ['darwin', 'linux', 'win32']);
  for (const [path, content] of Object.entries(expected)) assert.deepEqual(json(`dist/manifests/${path}`), content);
});

test('server.json follows the schema of the MCP registry and names this package as its package.json does', () => {
  const { name, packages } = serverJson.parse(json('dist/manifests/server.json'));
  assert.equal(name, about.mcpName);
  assert.deepEqual(
    packages.map(({ identifier, version }) => [identifier, version]),
    [[about.name, about.version]],
  );
  assert.ok(about.bin[about.name], 'npx runs the command that has the name of the package');
});

test('the manifest of the bundle follows its schema and uses only variables that are there', () => {
  const { server, user_config } = bundle.parse(json('dist/manifests/mcpb/manifest.json'));
  const known = [`\${__dirname}`, ...Object.keys(user_config).map((key) => `\${user_config.${key}}`)];
  const used = server.mcp_config.args.flatMap((word) => word.match(/\$\{[^}]+\}/g) ?? []);
  assert.deepEqual([...new Set(used)].sort(), known.sort());
  assert.ok(existsSync(join(root, server.entry_point.replace(`node_modules/${about.name}/`, ''))));
});

test('the plugin folder follows the reference of plugins, and its server is this version of the package', () => {
  const { mcpServers } = plugin.parse(json('dist/manifests/claude-plugin/.claude-plugin/plugin.json'));
  const servers = z.strictObject({
    mcpServers: z.record(z.string(), z.strictObject({ command: z.string(), args: z.array(z.string()) })),
  });
  const { sextant } = servers.parse(json(join('dist/manifests/claude-plugin', mcpServers))).mcpServers;
  assert.deepEqual(sextant, { command: 'npx', args: ['-y', `${about.name}@${about.version}`, 'serve-mcp'] });
});
