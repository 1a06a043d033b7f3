/**
 * The real engine over a small project of several languages, in a temp folder of its own; and real clients to talk to
 * it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ProfileName } from '../../src/contracts/index.ts';
import { createEngine, type Engine } from '../../src/engine/index.ts';
import { EngineError } from '../../src/model/records/engine-errors.ts';
import { type HttpHandle, serveHttp } from '../../src/transports/index.ts';
import { engineConfig } from '../engine-config.ts';
import type { Message } from './raw-client.ts';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const PROJECT: Readonly<Record<string, string>> = {
  'go.mod': 'module github.com/acme/shop\n\ngo 1.22\n',
  'internal/auth/service.go': `package auth

import "errors"

// UserRepository stores users.
type UserRepository interface {
	Find(name string) (*User, error)
}

// User is somebody who may sign in.
type User struct {
	Name string
}

// AuthenticateUser verifies user credentials and returns the authenticated user.
func AuthenticateUser(username, password string) (*User, error) {
	if username == "" || password == "" {
		return nil, errors.New("username and password required")
	}
	return &User{Name: username}, nil
}

// Rename changes the name of a user.
func (u *User) Rename(name string) {
	u.Name = name
}

// ValidateToken checks if the authentication token is valid.
func ValidateToken(token string) bool {
	return len(token) > 10
}
`,
  'internal/auth/service_test.go':
    'package auth\n\nimport "testing"\n\nfunc TestAuthenticateUser(t *testing.T) {\n\tif _, err := AuthenticateUser("", ""); err == nil {\n\t\tt.Fatal("no error")\n\t}\n}\n',
  'internal/billing/invoice.go':
    'package billing\n\n// Invoice is what a customer pays.\ntype Invoice struct {\n\tTotal int\n}\n\n// Send mails the invoice to the customer.\nfunc (i *Invoice) Send() error {\n\treturn nil\n}\n',
  'vendor/example.com/lib/lib.go': 'package lib\n\nfunc VendoredHelper() int { return 1 }\n',
  'Sources/Auth/Authenticatable.swift': `/// Anything that can prove who it is.
protocol Authenticatable {
    func authenticate(token: String) -> Bool
}

struct TokenAuthenticator: Authenticatable {
    func authenticate(token: String) -> Bool {
        return token.count > 10
    }
}

class SessionStore {
    func open() {}
}

extension SessionStore: Authenticatable {
    func authenticate(token: String) -> Bool {
        return signIn(token)
    }
}

func signIn(_ token: String) -> Bool {
    return TokenAuthenticator().authenticate(token: token)
}
`,
  'README.md':
    '# Shop\n\nA shop for testing.\n\n## Installation\n\nRun the installer and follow the instructions.\n\n## Usage\n\nStart the server.\n',
  'docs/guide.md':
    '# Guide\n\n## Signing in\n\nUsers sign in with a token that lasts one hour.\n\n## Installation on servers\n\nUnpack the archive.\n',
  'web/cart.ts': `import { price } from './price.ts';

/** Adds up what is in the cart. */
export function cartTotal(items: readonly string[]): number {
  return items.reduce((sum, item) => sum + price(item), 0);
}
`,
  'web/price.ts':
    '/** The price of an item in cents. */\nexport function price(item: string): number {\n  return item.length * 100;\n}\n',
};

export interface Sandbox {
  readonly folder: string;
  /** The sample project. */
  readonly project: string;
  /** A folder with a file and no index. */
  readonly bare: string;
  readonly home: string;
  readonly engine: Engine;
  write(path: string, text: string): void;
  read(path: string): string;
  close(): Promise<void>;
}

/** `only` picks files of the sample project: grammars cost time to load. */
export function sandbox(only = /./): Sandbox {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-mcp-')));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(PROJECT)) if (only.test(path)) write(join('shop', path), text);
  write('bare/main.go', 'package main\n\nfunc main() {}\n');
  mkdirSync(join(folder, 'empty'));
  const home = join(folder, 'home');
  const engine = createEngine(engineConfig(home, { inline: true }));
  return {
    folder,
    project: join(folder, 'shop'),
    bare: join(folder, 'bare'),
    home,
    engine,
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Over HTTP only registered projects can be asked about: the folder around the sample is one, so that tests reach all
 * that lies in it.
 */
export async function serveProfiles(
  box: Sandbox,
  profiles: readonly ProfileName[],
  workspace: string | null,
): Promise<HttpHandle> {
  await box.engine.register(box.folder);
  return serveHttp({
    engine: box.engine,
    profiles,
    workspace,
    host: '127.0.0.1',
    port: 0,
    version: '9.9.9',
    log: () => {},
  });
}

export type ClientOptions = ConstructorParameters<typeof Client>[1];
export const MODERN: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

/** For requests on a loaded machine: the client's own default is a minute. */
export const PATIENT = { timeout: 300_000 };

export async function connectHttp(
  url: string,
  options: ClientOptions = {},
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), PATIENT);
  return client;
}

/** What a client of the shipped server sends: the token that the server has made in the data folder. */
export function tokenHeader(home: string): { readonly authorization: string } {
  return { authorization: `Bearer ${readFileSync(join(home, 'token'), 'utf8').trim()}` };
}

/** What a tool answers: structured content, and the same as text. */
export async function answerOf(client: Client, name: string, args: Record<string, unknown>): Promise<Message> {
  const result = await client.callTool({ name, arguments: args }, PATIENT);
  assert.equal(result.isError ?? false, false, JSON.stringify(result));
  const [text] = result.content as { text: string }[];
  assert.deepEqual(JSON.parse(text!.text), result.structuredContent);
  return result.structuredContent as Message;
}

/** What is known about files is believed for a moment: asks until the answer says that they have changed. */
export async function untilStale(ask: () => Promise<Message>): Promise<Message> {
  let answer = await ask();
  for (; answer.notices === undefined; answer = await ask()) await new Promise((resolve) => setTimeout(resolve, 200));
  return answer;
}

/** The shipped command as a process of its own. */
export async function connectProcess(
  box: Sandbox,
  args: readonly string[],
  options: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'dist/main.js'), 'serve-mcp', ...args],
      cwd: box.folder,
      env: processEnv(box),
    }),
  );
  return client;
}

/** The environment of a process of its own: hardly anything of ours. */
export function processEnv(box: Sandbox): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: box.folder, SEXTANT_HOME: box.home };
}

/** What the shipped command prints; `status` and the like for the folder after it. */
export function command(box: Sandbox, name: string, path: string, ...flags: readonly string[]): string {
  return execFileSync(process.execPath, [join(root, 'dist/main.js'), name, '--path', path, ...flags], {
    env: processEnv(box),
    encoding: 'utf8',
  });
}

/** Another process that holds the right to write to a project's index. */
export async function otherIndexer(box: Sandbox, path: string): Promise<{ end(): Promise<void> }> {
  const { storeFolder } = await box.engine.project(path);
  const script = join(root, 'test/contracts/lease-holder.ts');
  const holder: ChildProcess = spawn(process.execPath, ['--import', 'tsx', script, storeFolder], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [held] = await Promise.race([once(holder.stdout!, 'data'), once(holder, 'exit')]);
  assert.equal(String(held).trim(), 'held');
  return {
    async end() {
      const gone = once(holder, 'exit');
      holder.stdin!.end();
      await gone;
    },
  };
}

/** Skips a test of a part of the engine that this checkout does not have yet. */
export async function needs(part: () => Promise<unknown>, t: TestContext): Promise<boolean> {
  const missing = await part().then(
    () => false,
    (error: unknown) => error instanceof EngineError && error.code === 'unsupported',
  );
  if (missing) t.skip('this part of the engine is not built yet');
  return !missing;
}
