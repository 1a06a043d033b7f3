/** Sessions of agents: what each asked, read and recorded. */
import type { SessionRecord } from '../../../../model/records/session.ts';
import type { Answers } from '../../../api/page-api.ts';
import { fileAddress, to } from '../../data/addresses.ts';
import { ago, count, plural } from '../../data/format-values.ts';

export function Sessions({ value }: { readonly value: Answers['sessions'] }) {
  return (
    <section>
      <h2>
        Sessions of agents <span class="soft">{count(value.length)}</span>
      </h2>
      {value.length === 0 && <p class="soft">No agent has asked yet.</p>}
      <ul class="cards">
        {value.slice(0, 30).map((session) => (
          <li key={session.id}>
            <SessionCard session={session} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SessionCard({ session }: { readonly session: SessionRecord }) {
  const reads = Object.entries(session.reads).sort((a, b) => b[1] - a[1]);
  return (
    <details class="card">
      <summary>
        {ago(session.lastMs)} · {plural(session.queries.length, 'question')} · {plural(reads.length, 'file')} read
        {session.discoveries.length > 0 &&
          ` · ${plural(session.discoveries.length, 'discovery').replace('discoverys', 'discoveries')}`}
      </summary>
      <ul class="plain-list">
        {session.queries.map((query) => (
          <li key={query}>
            <a class="stop" href={to('search', { q: query })}>
              {query}
            </a>
          </li>
        ))}
      </ul>
      {reads.length > 0 && (
        <ul class="paths">
          {reads.map(([path, times]) => (
            <li key={path}>
              <a class="stop" href={fileAddress(path)}>
                {path}
              </a>{' '}
              <span class="soft">{times > 1 ? `${times} times` : ''}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
