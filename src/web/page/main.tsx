import { render } from 'preact';
import { App } from './app.tsx';
import { applyScheme, chosenScheme } from './data/scheme.ts';
import { takeToken } from './data/token.ts';
import { forgetAnswers } from './data/use-answer.ts';

// Applied before the first rendering, or the other scheme would flash.
applyScheme(chosenScheme());
takeToken();
addEventListener('hashchange', () => {
  if (takeToken()) forgetAnswers();
});
render(<App />, document.getElementById('app')!);
