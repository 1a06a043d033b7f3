/** One box for words, names, paths, errors and questions, with suggestions while the user types. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Suggestions } from '../../../api/page-api.ts';
import { fileAddress, to } from '../../data/addresses.ts';
import { ask } from '../../data/api.ts';
import { KindMark } from './kind-mark.tsx';

const PAUSE_MS = 60;
const LIST_ID = 'suggestions';
/** Typed loosely, because Preact's element types know only the browser's own comboboxes. */
const COMBOBOX: object = { role: 'combobox' };

interface Option {
  readonly href: string;
  readonly kind: string;
  readonly words: string;
  readonly place: string;
}

export function SearchBox({ query }: { readonly query: string }) {
  const [value, setValue] = useState(query);
  const [chosen, setChosen] = useState(-1);
  const [options, close] = useOptions(value, query, () => setChosen(-1));
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setValue(query), [query]);
  const go = (href: string) => {
    close();
    location.hash = href;
    input.current?.blur();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      if (options.length > 0) close();
      else input.current?.blur();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (options.length === 0) return;
      event.preventDefault();
      const by = event.key === 'ArrowDown' ? 1 : -1;
      // One position more than options: the typed text itself.
      const places = options.length + 1;
      setChosen(((chosen + 1 + by + places) % places) - 1);
    }
  };
  return (
    <form
      role="search"
      class="search-box"
      onSubmit={(event) => {
        event.preventDefault();
        const option = options[chosen];
        if (option) go(option.href);
        else if (value.trim() !== '') go(to('search', { q: value.trim() }));
      }}
    >
      <input
        ref={input}
        id="query"
        type="search"
        {...COMBOBOX}
        autocomplete="off"
        spellcheck={false}
        placeholder="Ask: a question, a name, a path, an error, “what calls X”"
        aria-label="Ask"
        aria-keyshortcuts="/"
        aria-autocomplete="list"
        aria-controls={LIST_ID}
        aria-expanded={options.length > 0}
        {...(chosen >= 0 && { 'aria-activedescendant': `${LIST_ID}-${chosen}` })}
        value={value}
        onInput={(event) => setValue(event.currentTarget.value)}
        onKeyDown={pressed}
        onBlur={close}
      />
      <OptionList options={options} chosen={chosen} go={go} />
    </form>
  );
}

interface OptionListProps {
  readonly options: readonly Option[];
  readonly chosen: number;
  readonly go: (href: string) => void;
}

function OptionList({ options, chosen, go }: OptionListProps) {
  return (
    <ul id={LIST_ID} role="listbox" aria-label="Suggestions" hidden={options.length === 0}>
      {options.map(({ href, kind, words, place }, i) => (
        <li
          key={href + words}
          id={`${LIST_ID}-${i}`}
          role="option"
          aria-selected={i === chosen}
          onMouseDown={(event) => {
            event.preventDefault();
            go(href);
          }}
        >
          <KindMark kind={kind} />
          <span class="name">{words}</span>
          <span class="soft place">{place}</span>
        </li>
      ))}
    </ul>
  );
}

/** Suggestions for the typed text, fetched after a short pause, and a function that closes the list. */
function useOptions(value: string, query: string, onTyping: () => void): [readonly Option[], () => void] {
  const [options, setOptions] = useState<readonly Option[]>([]);
  useEffect(() => {
    onTyping();
    if (value === query || value.trim() === '') {
      setOptions([]);
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      ask('suggest', { q: value }, leaving.signal).then(
        (found) => setOptions(optionsOf(value, found)),
        () => {},
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [value, query]);
  return [options, () => setOptions([])];
}

function optionsOf(query: string, { question, symbols, paths }: Suggestions): Option[] {
  const research =
    question === 'open' ? [] : [{ href: to('search', { q: query }), kind: 'research', words: query, place: question }];
  return [
    ...research,
    ...symbols.map(({ symbolId, qualifiedName, kind, path, startLine }) => ({
      href: to('symbol', { id: symbolId }),
      kind,
      words: qualifiedName,
      place: `${path}:${startLine}`,
    })),
    ...paths.map((path) => ({ href: fileAddress(path), kind: 'file', words: path, place: 'file' })),
  ];
}
