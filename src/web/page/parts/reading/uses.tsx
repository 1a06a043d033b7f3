/** The uses of a symbol, grouped by file. */
import type { ReferenceSite } from '../../../../model/records/query.ts';
import { fileAddress, to } from '../../data/addresses.ts';
import { plural } from '../../data/format-values.ts';
import { groupBy } from '../../data/group-by.ts';
import { useAnswer } from '../../data/use-answer.ts';
import { Problem } from '../frame/problem.tsx';

export function UsesOf({ id }: { readonly id: string }) {
  const { value, error } = useAnswer('symbol', { id });
  if (error) return <Problem error={error} />;
  if (!value) return <p class="soft">Looking for uses …</p>;
  const { symbol, references, totals } = value;
  return (
    <>
      <p>
        <a href={to('symbol', { id })}>{symbol.qualifiedName}</a> · {plural(totals.references, 'use')} ·{' '}
        {plural(totals.callers, 'call')} · {plural(totals.tests, 'test')}
      </p>
      <SiteList sites={references} />
      {references.length === 0 && <p class="soft">Nothing in the index uses it.</p>}
    </>
  );
}

export function SiteList({ sites }: { readonly sites: readonly ReferenceSite[] }) {
  return (
    <ul class="sites">
      {groupBy(sites, ({ path }) => path).map(([path, own]) => (
        <li key={path}>
          <a class="path" href={fileAddress(path)}>
            {path}
          </a>
          <ul>
            {own.map((site) => (
              <li key={`${site.line}:${site.column}`}>
                <a class="site" href={fileAddress(path, String(site.line))}>
                  <span class="line">{site.line}</span>
                  <code>{site.text.trim()}</code>
                </a>
                {site.confidence !== 'exact' && <span class={`chip ${site.confidence}`}>{site.confidence}</span>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
