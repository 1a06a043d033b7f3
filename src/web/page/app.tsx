/** The frame of the page: header, the view that the URL names, keyboard shortcuts. */
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fromHash, to } from './data/addresses.ts';
import { useKeys } from './data/keys.ts';
import { applyScheme, chosenScheme, type Scheme } from './data/scheme.ts';
import { StatusContext, useStatus } from './data/status.ts';
import { Help } from './parts/frame/help.tsx';
import { PlaceSwitcher } from './parts/frame/place-switcher.tsx';
import { SearchBox } from './parts/frame/search-box.tsx';
import { StateDot } from './parts/frame/state.tsx';
import { ActivityView } from './views/activity.tsx';
import { FileView } from './views/file.tsx';
import { FolderView } from './views/folder.tsx';
import { ImpactView } from './views/impact.tsx';
import { MapView } from './views/map.tsx';
import { MemoryView } from './views/memory.tsx';
import { OverviewView } from './views/overview.tsx';
import { SearchView } from './views/search.tsx';
import { SymbolView } from './views/symbol.tsx';
import type { ViewProps } from './views/view.ts';

const VIEWS: Readonly<Record<string, ComponentType<ViewProps>>> = {
  '': OverviewView,
  file: FileView,
  folder: FolderView,
  search: SearchView,
  symbol: SymbolView,
  map: MapView,
  impact: ImpactView,
  memory: MemoryView,
  activity: ActivityView,
};
const PAGES = [
  { view: '', words: 'Overview' },
  { view: 'folder', words: 'Code' },
  { view: 'map', words: 'Map' },
  { view: 'impact', words: 'Impact' },
  { view: 'memory', words: 'Memory' },
  { view: 'activity', words: 'Activity' },
];
const SCHEMES: readonly Scheme[] = ['auto', 'light', 'dark'];

export function App() {
  const { view, parameters } = useAddress();
  const shown = useStatus(`${parameters.get('project') ?? ''} ${parameters.get('ref') ?? ''}`);
  const [isHelp, setHelp] = useState(false);
  const [scheme, setScheme] = useState(chosenScheme());
  const main = useRef<HTMLElement>(null);
  useEffect(() => applyScheme(scheme), [scheme]);
  useTitle(view, parameters, shown.status?.project.moduleName ?? 'Sextant');
  useKeys(
    [
      { key: '/', words: 'ask', run: () => document.getElementById('query')?.focus() },
      { key: 'n', words: 'next place', run: () => step(main.current!, 1) },
      { key: 'p', words: 'previous place', run: () => step(main.current!, -1) },
      { key: '?', words: 'these keys', run: () => setHelp(true) },
    ],
    true,
  );
  const View = VIEWS[view]!;
  return (
    <StatusContext.Provider value={shown}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        To the content
      </a>
      <header class="top">
        <div class="where">
          <a class="brand" href={to('')}>
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M3 17h14L10 3z" />
              <path class="arm" d="M10 3v14" />
            </svg>
            <span class={shown.status ? 'hidden' : ''}>Sextant</span>
          </a>
          {shown.status && <PlaceSwitcher status={shown.status} parameters={parameters} />}
          {shown.status && <StateDot status={shown.status} />}
        </div>
        <SearchBox query={view === 'search' ? (parameters.get('q') ?? '') : ''} />
        <nav aria-label="Pages">
          {PAGES.map((page) => (
            <a
              key={page.view}
              href={to(page.view)}
              aria-current={page.view === view || (page.view === 'folder' && view === 'file') ? 'page' : undefined}
            >
              {page.words}
            </a>
          ))}
        </nav>
        <button
          type="button"
          class="plain scheme"
          aria-label={`Colours: ${scheme}`}
          title={`Colours: ${scheme}`}
          onClick={() => setScheme(SCHEMES[(SCHEMES.indexOf(scheme) + 1) % SCHEMES.length]!)}
        >
          {scheme === 'dark' ? '☾' : scheme === 'light' ? '☀' : '◐'}
        </button>
        <button type="button" class="plain" aria-label="Keys" title="Keys (?)" onClick={() => setHelp(true)}>
          ?
        </button>
      </header>
      <main id="main" tabIndex={-1} ref={main} class={`view-${view || 'overview'}`}>
        <View parameters={parameters} />
      </main>
      {isHelp && <Help onClose={() => setHelp(false)} />}
    </StatusContext.Provider>
  );
}

function useAddress() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return fromHash(hash, VIEWS);
}

function useTitle(view: string, parameters: URLSearchParams, project: string): void {
  const what = parameters.get('path') ?? parameters.get('q') ?? parameters.get('name') ?? '';
  const page = PAGES.find((each) => each.view === view)?.words ?? view;
  const title = [what || (view === '' ? '' : page), project].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Moves the focus to the next or previous visible element with the class `stop`. */
function step(main: HTMLElement, by: 1 | -1): void {
  const stops = [...main.querySelectorAll<HTMLElement>('.stop')].filter((stop) => stop.offsetParent !== null);
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? stops.at(by > 0 ? 0 : -1) : stops[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
