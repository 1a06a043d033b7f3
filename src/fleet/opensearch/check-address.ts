/** Finds mistakes in the settings of a fleet before the client library and OpenSearch meet them. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { ClusterAddress } from './search-cluster.ts';

/** Names that OpenSearch accepts for an index. */
const PREFIX = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** Throws invalid_input, which names the setting. */
export function checkAddress({ urls, ca, certificate, key }: ClusterAddress, prefix: string): void {
  for (const url of urls)
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw invalid(`${JSON.stringify(url)} is no address of OpenSearch: https://HOST:9200, in fleet.url or --url.`);
  if (!PREFIX.test(prefix))
    throw invalid(
      `fleet.prefix is ${JSON.stringify(prefix)}, but names of indices begin with a letter or digit and have lower ` +
        'case letters, digits, ".", "-" and "_" only.',
    );
  if (ca !== undefined && !isReadable(() => new X509Certificate(ca)))
    throw invalid('The file that fleet.ca_file names holds no certificate in PEM form.');
  if (certificate !== undefined && !isReadable(() => new X509Certificate(certificate)))
    throw invalid('The file that fleet.certificate_file names holds no certificate in PEM form.');
  if (key !== undefined && !isReadable(() => createPrivateKey(key)))
    throw invalid('The file that fleet.key_file names holds no private key in PEM form that opens without a password.');
  if ((certificate === undefined) !== (key === undefined))
    throw invalid('A client certificate needs its key: set fleet.certificate_file and fleet.key_file.');
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function invalid(reason: string): EngineError {
  return new EngineError('invalid_input', { reason });
}
