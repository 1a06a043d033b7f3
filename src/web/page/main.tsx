import { render } from 'preact';
import { App } from './app.tsx';
import { takeToken } from './data/token.ts';
import { forgetAnswers } from './data/use-answer.ts';

takeToken();
addEventListener('hashchange', () => {
  if (takeToken()) forgetAnswers();
});
render(<App />, document.getElementById('app')!);
