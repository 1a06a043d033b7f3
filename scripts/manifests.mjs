// Writes the files that tell registries and agents how to start the package, all made from package.json: server.json
// (MCP registry), a folder for an .mcpb bundle, a plugin folder of Claude Code. The build writes them to
// dist/manifests; `npm run manifests -- DIR` writes them to DIR and installs the package into the bundle's folder,
// ready to be packed.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './import-source.mjs';

/** The registry's schema that server.json follows. */
const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** The version of the bundle manifest that the test validates. */
const BUNDLE_VERSION = '0.3';

/** The contents of all files by path. `platforms` are those that a bundle made on this machine runs on. */
export function makeManifests({ name, version, description, license, author, mcpName, engines, keywords }, platforms) {
  // The registry accepts a hundred characters.
  const summary = description.split(':')[0];
  const about = { version, description, author: { name: author }, license, keywords };
  return {
    'server.json': {
      $schema: SERVER_SCHEMA,
      name: mcpName,
      title: 'Sextant',
      description: summary,
      version,
      packages: [{ registryType: 'npm', identifier: name, version, runtimeHint: 'npx', transport: { type: 'stdio' } }],
    },
    'mcpb/manifest.json': {
      manifest_version: BUNDLE_VERSION,
      name,
      display_name: 'Sextant',
      ...about,
      server: {
        type: 'node',
        entry_point: `node_modules/${name}/bin/sextant`,
        mcp_config: {
          command: 'node',
          args: [
            `\${__dirname}/node_modules/${name}/bin/sextant`,
            'serve-mcp',
            '--workspace',
            `\${user_config.project}`,
          ],
        },
      },
      tools_generated: true,
      prompts_generated: true,
      compatibility: { platforms, runtimes: { node: engines.node } },
      user_config: {
        project: {
          type: 'directory',
          title: 'Project',
          description: 'The folder of the project that is searched',
          required: true,
        },
      },
    },
    'claude-plugin/.claude-plugin/plugin.json': { name: 'sextant', ...about, mcpServers: './.mcp.json' },
    // Makes the folder a marketplace with its one plugin, so that `claude plugin marketplace add` accepts it.
    'claude-plugin/.claude-plugin/marketplace.json': {
      name: 'sextant',
      description,
      owner: { name: author },
      plugins: [{ name: 'sextant', source: './', description }],
    },
    'claude-plugin/.mcp.json': {
      mcpServers: { sextant: { command: 'npx', args: ['-y', `${name}@${version}`, 'serve-mcp'] } },
    },
  };
}

export async function writeManifests(folder, platforms = ['darwin', 'linux', 'win32']) {
  const about = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  for (const [path, content] of Object.entries(makeManifests(about, platforms))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `${JSON.stringify(content, null, 2)}\n`);
  }
}

/** Installs the packages into the bundle, including native parts of this system. */
async function installBundle(folder) {
  // Imported late: before `npm pack`, prepare.mjs waits for the build, which loads this file.
  const { run } = await import('./prepare.mjs');
  const npm = (args, cwd) => {
    if (run('npm', args, { cwd, stdio: ['ignore', 2, 2] }) !== 0) throw new Error(`npm ${args[0]} failed.`);
  };
  await writeFile(join(folder, 'package.json'), '{"private":true}\n');
  npm(['pack', '--silent', '--pack-destination', folder], root);
  const { version, name } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const packed = join(folder, `${name}-${version}.tgz`);
  npm(['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--no-save', packed], folder);
  await rm(packed);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error('error: Where to?\nfix:   npm run manifests -- DIR');
    process.exit(2);
  }
  await writeManifests(resolve(folder), [process.platform]);
  await installBundle(join(resolve(folder), 'mcpb'));
  console.log(`Wrote server.json, mcpb/ and claude-plugin/ to ${resolve(folder)}.`);
}
