/** Lists the active keyboard shortcuts. */
import { useEffect, useRef } from 'preact/hooks';
import { currentKeys } from '../../data/keys.ts';

export function Help({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <dl>
        {currentKeys().map(({ key, words }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
