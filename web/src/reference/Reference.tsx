// The reference pages: what the service says about itself, and requests to run.

import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get, type AlgorithmInfo, type GameInfo } from '../api/client';
import { choose, language, words } from '../words';
import { Operations, type Contract } from './Operations';
import { GamePage, MethodPage } from './Pages';
import { Snippets } from './Snippets';

interface Known {
  contract: Contract;
  games: GameInfo[];
  algorithms: AlgorithmInfo[];
}

const place = signal(location.hash);
addEventListener('hashchange', () => {
  place.value = location.hash;
  scrollTo(0, 0);
});

export function Reference() {
  const known = useSignal<Known | null>(null);
  const trouble = useSignal('');
  const text = words();
  useEffect(() => {
    Promise.all([get<Contract>('/openapi.json'), get<{ games: GameInfo[] }>('/v1/games'), get<{ algorithms: AlgorithmInfo[] }>('/v1/algorithms')]).then(
      ([contract, { games }, { algorithms }]) => (known.value = { contract, games, algorithms }),
      () => (trouble.value = text.offline),
    );
  }, [language.value]);
  return (
    <>
      <header>
        <h1>bestmove</h1>
        <nav aria-label={text.reference}>
          <a href="#">{text.api}</a>
          <a href="#snippets">{text.snippets}</a>
          <a href="#games">{text.games}</a>
          <a href="#methods">{text.methods}</a>
          <a href="/">{text.backToBoard}</a>
        </nav>
        <button onClick={() => choose(language.value === 'zh' ? 'en' : 'zh')}>{text.language}</button>
      </header>
      <main class="reference">
        {trouble.value && <p class="trouble" role="alert">{trouble.value}</p>}
        {known.value ? <Content {...known.value} /> : <p class="quiet">{text.loading}</p>}
      </main>
    </>
  );
}

function Content({ contract, games, algorithms }: Known) {
  const [section, name] = place.value.replace('#', '').split('/');
  const game = games.find((info) => info.name === name);
  const method = algorithms.find((info) => info.name === name);
  if (section === 'games' && game) return <GamePage info={game} />;
  if (section === 'methods' && method) return <MethodPage info={method} games={games} />;
  if (section === 'games') return <List title={words().games} section="games" entries={games.map((info) => [info.name, info.title])} />;
  if (section === 'methods') return <List title={words().methods} section="methods" entries={algorithms.map((info) => [info.name, info.about])} />;
  if (section === 'snippets') return <Snippets />;
  return <Operations contract={contract} />;
}

function List({ title, section, entries }: { title: string; section: string; entries: string[][] }) {
  return (
    <>
      <h2>{title}</h2>
      <ul>{entries.map(([name, about]) => <li key={name}><a href={`#${section}/${name}`}>{name}</a> {about}</li>)}</ul>
    </>
  );
}
