// A page for each game and each method.

import type { AlgorithmInfo, GameInfo } from '../api/client';
import { words } from '../words';
import { Inline } from './Prose';

type OptionInfo = NonNullable<GameInfo['options']>[number];

export function GamePage({ info }: { info: GameInfo }) {
  const text = words();
  return (
    <article>
      <h2>{info.title}</h2>
      <p><a href={`/#mode=play&game=${info.name}&seats=person,3`}>{text.play}</a></p>
      <h3>{text.rules}</h3>
      <p><Inline text={info.rules} /></p>
      <p>{text.source}: {info.source}</p>
      <h3>{text.notation}</h3>
      <p><Inline text={info.move_notation} /></p>
      {info.text_notation && <p><Inline text={info.text_notation} /></p>}
      <p><Inline text={info.limits} />; {text.unit}: <Inline text={info.value_unit} />.</p>
      <h3>{text.request}</h3>
      <pre tabIndex={0}>{JSON.stringify(info.example, null, 1)}</pre>
      <h3>{text.methods}</h3>
      <p>{info.algorithms.map((name) => <a key={name} class="chip" href={`#methods/${name}`}>{name}{name === info.default_algorithm ? ' *' : ''}</a>)}</p>
      <Options options={info.options ?? []} />
      {(info.levels ?? []).length > 0 && (
        <>
          <h3>{text.strength}</h3>
          <div class="scroll">
            <table>
              <thead><tr><th>{text.level}</th><th>Elo</th><th>{text.depth}</th></tr></thead>
              <tbody>{info.levels!.map(({ level, elo, elo_stderr, depth }) => <tr key={level}><td>{level}</td><td>{elo == null ? '–' : `${Math.round(elo)} ± ${Math.round(elo_stderr ?? 0)}`}</td><td>{depth ?? '–'}</td></tr>)}</tbody>
            </table>
          </div>
        </>
      )}
    </article>
  );
}

export function MethodPage({ info, games }: { info: AlgorithmInfo; games: readonly GameInfo[] }) {
  const text = words();
  const strongest = games.filter((game) => game.default_algorithm === info.name);
  return (
    <article>
      <h2>{info.name}</h2>
      <p><Inline text={info.about} /></p>
      {info.source && <p>{text.source}: {info.source}</p>}
      <p>{text.strongestIn}: {strongest.length === 0 ? '–' : strongest.map(({ name, title }) => <a key={name} class="chip" href={`#games/${name}`}>{title}</a>)}</p>
      <p>{text.needs}: {info.needs}</p>
      <p>{text.budgets}: {info.budgets.length > 0 ? info.budgets.map((name) => <code key={name} class="chip">{name}</code>) : '–'}</p>
      <p>{text.games}: {info.games.map((name) => <a key={name} class="chip" href={`#games/${name}`}>{name}</a>)}</p>
      <Options options={info.options ?? []} />
    </article>
  );
}

function Options({ options }: { options: readonly OptionInfo[] }) {
  const text = words();
  if (options.length === 0) return null;
  return (
    <>
      <h3>{text.options}</h3>
      <div class="scroll">
        <table>
          <thead><tr><th>{text.options}</th><th>{text.preset}</th><th>{text.range}</th><th /></tr></thead>
          <tbody>
            {options.map((option) => (
              <tr key={option.name}>
                <th><code>{option.name}</code></th>
                <td><code>{JSON.stringify(option.default ?? null)}</code></td>
                <td>{option.values?.join(' ') ?? (option.minimum != null ? `${option.minimum} – ${option.maximum ?? '∞'}` : option.type)}</td>
                <td><Inline text={option.about} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
