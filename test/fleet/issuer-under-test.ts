/** An identity provider of the test's own on the loopback: publishes its metadata and keys, and signs tokens. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface IssuerUnderTest {
  readonly url: string;
  token(claims: Readonly<Record<string, unknown>>, change?: TokenChange): Promise<string>;
}

export interface TokenChange {
  readonly issuer?: string;
  readonly audience?: string;
  readonly expires?: string | number;
  /** Signed by a key that the issuer does not publish. */
  readonly foreign?: boolean;
}

export async function startIssuer(context: TestContext, audience: string): Promise<IssuerUnderTest> {
  const [own, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const pages: Record<string, unknown> = {
      '/.well-known/oauth-authorization-server': { issuer: url, jwks_uri: `${url}/keys` },
      '/keys': { keys: [jwk] },
    };
    const page = pages[request.url ?? ''];
    response.writeHead(page ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(page ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    token: (claims, change = {}) =>
      new SignJWT({ sub: 'ann@acme.example', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(change.issuer ?? url)
        .setAudience(change.audience ?? audience)
        .setExpirationTime(change.expires ?? '5m')
        .sign((change.foreign ? other : own).privateKey),
  };
}
