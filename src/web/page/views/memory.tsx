/** The memory view: recorded and mined discoveries, to search, add, edit and forget. */
import { useState } from 'preact/hooks';
import { DISCOVERY_TYPES, type Discovery, type Evidence } from '../../../model/records/discovery.ts';
import { fileAddress, to } from '../data/addresses.ts';
import { change } from '../data/api.ts';
import { count, day } from '../data/format-values.ts';
import { forgetAnswers, useAnswer } from '../data/use-answer.ts';
import { DiscoveryText } from '../parts/answers/discovery-text.tsx';
import { Problem } from '../parts/frame/problem.tsx';
import type { ViewProps } from './view.ts';

const SHOWN = 100;

export function MemoryView({ parameters }: ViewProps) {
  const type = parameters.get('type') ?? '';
  const query = parameters.get('q') ?? '';
  const { value, error, isLoading } = useAnswer('memory', { type, q: query });
  const [more, setMore] = useState(1);
  const total = Object.values(value?.counts ?? {}).reduce((sum, each) => sum + each, 0);
  return (
    <div class="padded narrow" aria-busy={isLoading}>
      <h1>What is known</h1>
      <nav class="choices" aria-label="Kinds">
        {['', ...DISCOVERY_TYPES].map((each) => (
          <a
            key={each}
            class="choice"
            href={to('memory', { type: each, q: query })}
            aria-current={each === type ? 'true' : undefined}
          >
            {each === '' ? 'all' : `${each}s`}{' '}
            <span class="soft">{count(each === '' ? total : (value?.counts[each] ?? 0))}</span>
          </a>
        ))}
        <input
          type="search"
          aria-label="Only what contains"
          placeholder="Only what contains …"
          value={query}
          onChange={(event) => {
            location.hash = to('memory', { type, q: event.currentTarget.value });
          }}
        />
      </nav>
      {error ? <Problem error={error} /> : null}
      <div class="recorder">
        <Recorder />
        {value?.notices.map((notice) => (
          <p key={notice} class="soft">
            {notice}
          </p>
        ))}
      </div>
      {value?.total === 0 && <p class="soft">Nothing yet. Agents record discoveries with remember, people here.</p>}
      <ul class="cards">
        {(value?.discoveries ?? []).slice(0, more * SHOWN).map((each) => (
          <li key={each.id}>
            <Card discovery={each} />
          </li>
        ))}
      </ul>
      {value && value.total > more * SHOWN && (
        <button type="button" onClick={() => setMore(more + 1)}>
          {count(value.total - more * SHOWN)} more
        </button>
      )}
    </div>
  );
}

function Recorder() {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <button type="button" onClick={() => setOpen(true)}>
        Record something
      </button>
    );
  return (
    <DiscoveryForm
      start={{ type: 'decision', content: '', module: '' }}
      save={(sent) => change('remember', sent)}
      onDone={() => setOpen(false)}
    />
  );
}

interface FormProps {
  readonly start: { readonly type: string; readonly content: string; readonly module: string };
  readonly save: (sent: { type: string; content: string; module: string }) => Promise<unknown>;
  readonly onDone: () => void;
}

function DiscoveryForm({ start, save, onDone }: FormProps) {
  const [value, setValue] = useState(start);
  const [error, setError] = useState<unknown>(undefined);
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        save(value).then(() => {
          onDone();
          forgetAnswers();
        }, setError);
      }}
    >
      {error ? <Problem error={error} /> : null}
      <label>
        Kind{' '}
        <select value={value.type} onChange={(event) => setValue({ ...value, type: event.currentTarget.value })}>
          {DISCOVERY_TYPES.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </label>
      <label>
        Module{' '}
        <input value={value.module} onInput={(event) => setValue({ ...value, module: event.currentTarget.value })} />
      </label>
      <label class="wide">
        In words
        <textarea
          rows={3}
          required
          minLength={3}
          maxLength={4000}
          value={value.content}
          onInput={(event) => setValue({ ...value, content: event.currentTarget.value })}
        />
      </label>
      <p class="actions">
        <button type="submit">Save</button>
        <button type="button" class="plain" onClick={onDone}>
          Leave it
        </button>
      </p>
    </form>
  );
}

function Card({ discovery }: { readonly discovery: Discovery }) {
  const { id, type, module, dateMs, origin, confidence, content, evidence, supersededBy } = discovery;
  const [isEdited, setEdited] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  if (isEdited)
    return (
      <DiscoveryForm
        start={{ type, content, module }}
        save={(sent) => change('edit', { id, ...sent })}
        onDone={() => setEdited(false)}
      />
    );
  return (
    <article class="card">
      <header>
        <strong>{type}</strong>
        {module !== '' && <span class="chip">{module}</span>}
        <span class="soft">
          {origin}
          {confidence < 1 && `, ${confidence >= 0.7 ? 'rather sure' : 'a guess'}`}
        </span>
        {supersededBy !== null && <span class="chip warn">replaced by a later one</span>}
        <time class="soft" dateTime={new Date(dateMs).toISOString()}>
          {day(dateMs)}
        </time>
        <span class="actions">
          <button type="button" class="plain" onClick={() => setEdited(true)}>
            Edit
          </button>
          {isConfirming ? (
            <button
              type="button"
              class="plain bad"
              onClick={() => {
                void change('forget', { id }).finally(forgetAnswers);
              }}
            >
              Really forget
            </button>
          ) : (
            <button type="button" class="plain" onClick={() => setConfirming(true)}>
              Forget
            </button>
          )}
        </span>
      </header>
      <p>
        <DiscoveryText content={content} />
      </p>
      {evidence.length > 0 && (
        <p class="evidence">
          {evidence.map((each, i) => (
            <EvidenceLink key={i} evidence={each} />
          ))}
        </p>
      )}
    </article>
  );
}

function EvidenceLink({ evidence }: { readonly evidence: Evidence }) {
  const { path, startLine, endLine, commit } = evidence;
  if (!path) return <code>{commit?.slice(0, 9)}</code>;
  const lines = startLine === undefined ? '' : `${startLine}${endLine && endLine !== startLine ? `-${endLine}` : ''}`;
  return (
    <a class="stop place" href={fileAddress(path, lines)}>
      {path}
      {lines && `:${lines}`}
    </a>
  );
}
