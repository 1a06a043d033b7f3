/** Files of the same name, for an address whose file was moved. */
import { fileAddress, to } from '../../data/addresses.ts';
import { useAnswer } from '../../data/use-answer.ts';

const SHOWN = 5;

export function SameName({ path }: { readonly path: string }) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { value } = useAnswer('suggest', { q: name });
  return (
    <ul class="paths">
      {value?.paths.slice(0, SHOWN).map((found) => (
        <li key={found}>
          <a class="stop" href={fileAddress(found)}>
            {found}
          </a>
        </li>
      ))}
      <li>
        <a class="stop" href={to('search', { q: name })}>
          Search for {name}
        </a>
      </li>
    </ul>
  );
}
