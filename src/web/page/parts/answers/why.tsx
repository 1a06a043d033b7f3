/** Explains lines: the commits that last changed them, and discoveries about them. */
import { formatLines, type LineRange } from '../../code/line-range.ts';
import { to } from '../../data/addresses.ts';
import { ago, day, plural } from '../../data/format-values.ts';
import { useAnswer } from '../../data/use-answer.ts';
import { Problem } from '../frame/problem.tsx';
import { DiscoveryText } from './discovery-text.tsx';

export function Why({ path, lines }: { readonly path: string; readonly lines: LineRange }) {
  const { value, error } = useAnswer('why', { path, from: lines.first, to: lines.last });
  if (error) return <Problem error={error} />;
  if (!value) return <p class="soft">Reading the history …</p>;
  const { commits, discoveries } = value;
  return (
    <>
      {discoveries.length > 0 && (
        <>
          <h3>Remembered about these lines</h3>
          <ul class="plain-list">
            {discoveries.map((each) => (
              <li key={each.id}>
                <span class="chip">{each.type}</span> <DiscoveryText content={each.content} />{' '}
                <a href={to('memory', { q: each.content.slice(0, 60) })}>in memory</a>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>
        Commits that last wrote {lines.first === lines.last ? 'line' : 'lines'} {formatLines(lines)}
      </h3>
      {commits.length === 0 && <p class="soft">No history: the file is not under version control.</p>}
      <ul class="plain-list commits">
        {commits.map((commit) => (
          <li key={commit.id ?? 'none'}>
            <code>{commit.id === null ? 'not committed' : commit.id.slice(0, 9)}</code>
            <span class="subject">{commit.id === null ? 'Changes in the work tree' : commit.subject}</span>
            <span class="soft">
              {commit.id !== null && `${commit.author}, `}
              <time dateTime={new Date(commit.dateMs).toISOString()} title={day(commit.dateMs)}>
                {ago(commit.dateMs)}
              </time>{' '}
              · {plural(commit.lines, 'line')}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
