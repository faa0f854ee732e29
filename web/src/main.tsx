// Entry of the page.

import { render } from 'preact';
import { App } from './App';
import { start } from './store/session';
import './style/page.css';
import './style/board.css';

render(<App />, document.getElementById('page')!);
// Nothing is asked for before the page is seen.
requestAnimationFrame(() => setTimeout(start));

// Installed, the page opens without the service. The policy is the only one that the server's headers allow.
if ('serviceWorker' in navigator && location.protocol !== 'file:') {
  const policy = window.trustedTypes?.createPolicy('bestmove', { createScriptURL: (url) => url });
  const worker = policy ? policy.createScriptURL('/service-worker.js') : '/service-worker.js';
  addEventListener('load', () => void navigator.serviceWorker.register(worker as string).catch(() => undefined));
}
