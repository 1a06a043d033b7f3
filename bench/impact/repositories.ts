/**
 * Repositories whose history judges the choice of tests. Strengths are tuned on one half and reported on the other.
 * Each has at least 20 test files.
 */
export interface JudgedRepository {
  /** OWNER/NAME on GitHub; the clone is in a folder called NAME. */
  readonly name: string;
  readonly language: string;
  readonly half: 'tuned' | 'kept';
}

export const REPOSITORIES: readonly JudgedRepository[] = [
  { name: 'pallets/werkzeug', language: 'Python', half: 'tuned' },
  { name: 'labstack/echo', language: 'Go', half: 'tuned' },
  { name: 'jhy/jsoup', language: 'Java', half: 'tuned' },
  { name: 'apache/commons-io', language: 'Java', half: 'tuned' },
  { name: 'honojs/hono', language: 'TypeScript', half: 'tuned' },
  { name: 'clap-rs/clap', language: 'Rust', half: 'tuned' },
  { name: 'scrapy/scrapy', language: 'Python', half: 'kept' },
  { name: 'celery/celery', language: 'Python', half: 'kept' },
  { name: 'caddyserver/caddy', language: 'Go', half: 'kept' },
  { name: 'prometheus/prometheus', language: 'Go', half: 'kept' },
  { name: 'mockito/mockito', language: 'Java', half: 'kept' },
  { name: 'google/gson', language: 'Java', half: 'kept' },
  { name: 'fastify/fastify', language: 'JavaScript', half: 'kept' },
  { name: 'eslint/eslint', language: 'JavaScript', half: 'kept' },
  { name: 'vitejs/vite', language: 'TypeScript', half: 'kept' },
  { name: 'tokio-rs/tokio', language: 'Rust', half: 'kept' },
  { name: 'rubocop/rubocop', language: 'Ruby', half: 'kept' },
];
