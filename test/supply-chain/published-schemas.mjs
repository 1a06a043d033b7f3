// The manifests against what their readers publish: server.json against the MCP registry's JSON Schema, the bundle by
// the `mcpb` program (it also packs it), the plugin and the marketplace by `claude plugin validate`. All of it is
// brought into a scratch folder; none of it becomes a dependency.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { check, installInto } from './scratch-npm.mjs';

/** Releases whose rules the manifests are known to keep. */
const VALIDATORS = ['ajv@8.20.0', 'ajv-formats@3.0.1', '@anthropic-ai/mcpb@2.1.2'];
const CLAUDE_CODE = '@anthropic-ai/claude-code@2.1.197';
const REGISTRY_MODULE = 'github.com/modelcontextprotocol/registry@v1.8.7';

/** `manifests`: as the package has them; `bundle`: a folder to be packed as an .mcpb. */
export async function checkManifests({ manifests, bundle, folder }) {
  const tools = join(folder, 'validators');
  installInto(tools, VALIDATORS);
  await checkServerJson(join(manifests, 'server.json'), createRequire(join(tools, 'package.json')));
  checkBundle({ bundle, tools, packed: join(folder, 'sextant.mcpb') });
  checkPlugin(join(manifests, 'claude-plugin'), join(folder, 'claude-code'));
}

async function checkServerJson(path, require) {
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const schema = await loadSchema(manifest.$schema);
  if (schema === null) {
    console.log(`skipped  server.json: neither ${manifest.$schema} nor a Go that brings the registry's source is here`);
    return;
  }
  const Ajv = require('ajv').default;
  const ajv = new Ajv({ strict: false, allErrors: true });
  require('ajv-formats').default(ajv);
  const isValid = ajv.validate(schema, manifest);
  check(isValid, `server.json keeps the registry's schema ${isValid ? '' : ajv.errorsText()}`);
}

/** From its address, else from the registry's own source, which holds the same file by its date. */
async function loadSchema(address) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(10_000) });
    if (response.ok) return await response.json();
  } catch {
    // No way there: the source is asked.
  }
  const [date] = /\d{4}-\d{2}-\d{2}/.exec(address);
  try {
    const { Dir } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', REGISTRY_MODULE], { encoding: 'utf8' }));
    return JSON.parse(readFileSync(join(Dir, `internal/validators/schemas/${date}.json`), 'utf8'));
  } catch {
    return null;
  }
}

function checkBundle({ bundle, tools, packed }) {
  const mcpb = (...args) =>
    succeeds(process.execPath, [join(tools, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js'), ...args]);
  check(mcpb('validate', join(bundle, 'manifest.json')), "mcpb finds no fault in the bundle's manifest");
  check(mcpb('pack', bundle, packed) && existsSync(packed), 'mcpb packs the bundle');
  if (existsSync(packed)) console.log(`${(statSync(packed).size / 1e6).toFixed(1)} MB as an .mcpb bundle`);
}

function checkPlugin(plugin, folder) {
  installInto(folder, [CLAUDE_CODE]);
  const program = join(folder, `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`);
  if (!existsSync(program)) {
    console.log(`skipped  the plugin: Claude Code has no program for ${process.platform} ${process.arch}`);
    return;
  }
  const env = { PATH: process.env.PATH, HOME: folder, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
  for (const path of [plugin, join(plugin, '.claude-plugin/marketplace.json')])
    check(succeeds(program, ['plugin', 'validate', '--strict', path], { env }), `claude finds no fault in ${path}`);
}

function succeeds(command, args, options) {
  try {
    execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe', timeout: 120_000, ...options });
    return true;
  } catch (error) {
    console.log(`${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || error.message);
    return false;
  }
}
