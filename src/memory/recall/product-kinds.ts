/**
 * What products are, for questions that name the kind where a note names the product: "which database" and "we use
 * PostgreSQL". Only products whose name means nothing else in a note about software.
 */
import { textTerms } from '../../model/text/terms.ts';
import type { WeighedTerm } from './recall.ts';

const KINDS: readonly (readonly [kinds: string, products: string])[] = [
  [
    'database databases db storage persistence',
    'postgresql postgres mysql mariadb sqlite mongodb mongo dynamodb cassandra cockroachdb clickhouse mssql duckdb ' +
      'firestore couchdb neo4j redis',
  ],
  ['cache caching', 'redis memcached varnish'],
  ['queue queues broker messaging', 'rabbitmq kafka sqs nats activemq celery sidekiq bullmq pulsar'],
  ['authentication login', 'oauth oauth2 jwt saml oidc keycloak auth0 webauthn'],
  ['search', 'elasticsearch opensearch solr meilisearch algolia'],
  ['deployment deploy hosting', 'kubernetes docker terraform helm ansible heroku vercel'],
  ['monitoring metrics observability', 'prometheus grafana datadog sentry opentelemetry'],
];

/** How much of the kind's weight a product is worth: less than the word itself. */
const WORTH = 0.8;

let productsByKind: ReadonlyMap<string, readonly string[]> | undefined;

/** Adds to each term of a question the products that are of the kind it names. */
export function withProducts(terms: readonly WeighedTerm[]): readonly WeighedTerm[] {
  productsByKind ??= new Map(
    KINDS.flatMap(([kinds, products]) => {
      const names = products.split(' ').map((product) => textTerms(product).at(-1)!);
      return textTerms(kinds).map((kind) => [kind, names] as const);
    }),
  );
  return terms.map((each) => {
    const products = productsByKind!.get(each.term) ?? [];
    if (products.length === 0) return each;
    return { ...each, alike: [...(each.alike ?? []), ...products.map((term) => ({ term, similarity: WORTH }))] };
  });
}
