/** An error, with its suggested fix where there is one. */
import { useState } from 'preact/hooks';
import { to } from '../../data/addresses.ts';
import { Refusal } from '../../data/api.ts';
import { fixForPeople } from '../../data/fixes.ts';
import { setToken } from '../../data/token.ts';
import { forgetAnswers } from '../../data/use-answer.ts';

export function Problem({ error }: { readonly error: unknown }) {
  if (error instanceof Refusal && error.code === 'unauthorized') return <TokenForm message={error.message} />;
  const words = error instanceof Error ? error.message : String(error);
  const fix = error instanceof Refusal ? fixForPeople(error) : '';
  return (
    <div class="problem" role="alert">
      <p>{words}</p>
      {fix !== '' && <p>{fix}</p>}
      {error instanceof Refusal && error.code === 'not_served' && (
        <p>
          <a class="stop" href="#/">
            To the project that is served
          </a>
        </p>
      )}
      {error instanceof Refusal && error.code === 'ref_not_found' && (
        <p>
          <a class="stop" href={to('', { ref: '' })}>
            To the work tree
          </a>
        </p>
      )}
    </div>
  );
}

function TokenForm({ message }: { readonly message: string }) {
  const [token, setValue] = useState('');
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        setToken(token.trim());
        forgetAnswers();
      }}
    >
      <h1>{message}</h1>
      <p class="soft">
        Open the address that the server printed when it started, or paste its token. It is kept for this tab only.
      </p>
      <input
        type="password"
        autocomplete="off"
        aria-label="Token"
        value={token}
        onInput={(event) => setValue(event.currentTarget.value)}
      />
      <button type="submit">Use this token</button>
    </form>
  );
}
