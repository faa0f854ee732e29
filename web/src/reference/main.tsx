// Entry of the reference: the API, the games and the methods, all from the service itself.

import { render } from 'preact';
import { Reference } from './Reference';
import '../style/page.css';
import '../style/board.css';

render(<Reference />, document.getElementById('page')!);
