/**
 * What the security plugin of OpenSearch does in front of a cluster: TLS by an authority of its own, a client
 * certificate, a user with a password.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as forward } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export const USER = 'sextant';
export const PASSWORD = 'password of the fleet';

export interface SecureFront {
  readonly url: string;
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** An authority that signed nothing here. */
  readonly otherCaFile: string;
}

/** In front of one node of the cluster. */
export async function startSecureFront(context: TestContext, folder: string, node: string): Promise<SecureFront> {
  const keys = makeKeys(join(folder, 'keys'));
  const read = (name: string) => readFileSync(join(keys, name));
  const tls = { ca: read('ca.pem'), cert: read('server.pem'), key: read('server.key') };
  const expected = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, (incoming, outgoing) => {
    if (incoming.headers.authorization !== expected) {
      outgoing.writeHead(401, { 'Content-Type': 'application/json' });
      outgoing.end(JSON.stringify({ error: 'Unauthorized' }));
      return;
    }
    const { method, headers, url } = incoming;
    const onward = forward(`${node}${url}`, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caFile: join(keys, 'ca.pem'),
    certificateFile: join(keys, 'client.pem'),
    keyFile: join(keys, 'client.key'),
    otherCaFile: join(keys, 'other.pem'),
  };
}

function makeKeys(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const openssl = (...args: string[]) => {
    const { status, error, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    if (error) throw new Error(`This test needs openssl to make certificates: ${error.message}. Install it.`);
    if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`);
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['ca', 'other'])
    openssl('req', '-x509', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`);
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1\n');
  for (const name of ['server', 'client']) {
    openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
    openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...signing);
  }
  return folder;
}
