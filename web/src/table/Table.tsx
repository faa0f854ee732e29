// Games without a board: heaps, a table of characters, dice and hand, or a tree.

import type { Position } from '../api/client';
import type { Json } from '../store/state';
import { words } from '../words';

type Fields = { [key: string]: Json };
const fields = (value: Json | undefined): Fields => (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {});
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

interface Props {
  position: Position;
  titles: readonly string[];
  /** Index of the side whose hand its opponent does not see. */
  hidden: number | null;
  /** Whether a person may move. */
  isOpen: boolean;
  onMove(move: string): void;
}

/** What the JSON form of a state has tells what is drawn. */
export function Table({ position, titles, hidden, isOpen, onMove }: Props) {
  const json = fields(position.state.json as Json);
  if (json.heaps) return <Heaps heaps={list(json.heaps).map(Number)} legal={isOpen ? position.legal_moves : []} onMove={onMove} />;
  if (json.players) return <Duel sides={list(json.players).map(fields)} names={titles} hidden={hidden} />;
  if (json.sides) return <Duel sides={list(json.sides).map(fields)} names={titles} hidden={hidden} />;
  if (json.children || json.name) return <TreeState node={json} />;
  return <pre class="state">{JSON.stringify(json, null, 1)}</pre>;
}

function Heaps({ heaps, legal, onMove }: { heaps: number[]; legal: readonly string[]; onMove(move: string): void }) {
  return (
    <div class="heaps">
      {heaps.map((size, heap) => (
        <div class="heap" key={heap} role="group" aria-label={words().heap(heap + 1)}>
          {Array.from({ length: size }, (_, stone) => {
            // A stone is taken with all that lie on it.
            const move = `${heap + 1}:${size - stone}`;
            return <button key={stone} class="heap-stone" disabled={!legal.includes(move)} aria-label={words().take(size - stone)} title={words().take(size - stone)} onClick={() => onMove(move)} />;
          }).reverse()}
          <span class="heap-size">{size}</span>
        </div>
      ))}
    </div>
  );
}

function Duel({ sides, names, hidden }: { sides: Fields[]; names: readonly string[]; hidden: number | null }) {
  return (
    <div class="duel">
      {sides.map((side, index) => (
        <section class="duel-side" key={index} aria-label={names[index]}>
          <h3>{names[index]}</h3>
          {side.chars ? list(side.chars).map((character, place) => <Character key={place} character={fields(character)} active={side.active === place} />) : <Figures side={side} />}
          <Group title={words().dice} value={side.dice} />
          <Group title={words().hand} value={index === hidden ? unseen(side.hand) : side.hand} />
          <Group title={words().summons} value={side.summons} />
          <Group title={words().supports} value={side.supports} />
        </section>
      ))}
    </div>
  );
}

function Character({ character, active }: { character: Fields; active: boolean }) {
  const [health, energy] = [Number(character.hp), Number(character.energy)];
  return (
    <div role="group" aria-label={[String(character.name), character.alive === false && words().fallen].filter(Boolean).join(', ')} class={`character${active ? ' active' : ''}${character.alive === false ? ' fallen' : ''}`}>
      <strong>{String(character.name)}</strong>
      {active && <span class="badge">{words().active}</span>}
      <span class="bar"><meter min={0} max={10} value={health} aria-label={words().hitPoints} aria-valuetext={String(health)} /> <span aria-hidden="true">{health}</span></span>
      <span>{words().energy} {energy}</span>
      {list(character.aura).map((aura) => <span class="chip" key={String(aura)}>{described(aura)}</span>)}
      {list(character.attach).map((item, index) => <span class="chip" key={index}>{described(item)}</span>)}
    </div>
  );
}

function Figures({ side }: { side: Fields }) {
  return (
    <div class="character">
      <span class="bar"><meter min={0} max={10} value={Number(side.hp)} aria-label={words().hitPoints} /> {String(side.hp)} {words().hitPoints}</span>
      {Number(side.shield) > 0 && <span class="chip">{words().shield} {String(side.shield)}</span>}
    </div>
  );
}

/** A thing of a state in a word. */
function described(value: Json): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(described).join(' ');
  const { name, ...rest } = value;
  const figures = Object.entries(rest).filter(([, figure]) => typeof figure === 'number' && figure !== 0).map(([word, figure]) => `${word} ${String(figure)}`);
  return [name === undefined ? '' : String(name), ...figures].filter(Boolean).join(' ');
}

/** A hand of which only the number of cards is seen. */
const unseen = (hand: Json | undefined): Json => list(hand).map(() => words().hidden);

/** Things with their number; nothing where there are none. */
function Group({ title, value }: { title: string; value: Json | undefined }) {
  const counted = new Map<string, number>();
  if (typeof value === 'number') counted.set('', value);
  else if (Array.isArray(value)) for (const item of value) counted.set(described(item), (counted.get(described(item)) ?? 0) + 1);
  else for (const [name, count] of Object.entries(fields(value))) if (Number(count) > 0) counted.set(name, Number(count));
  if (counted.size === 0) return null;
  return (
    <div class="things">
      <span class="things-title" aria-hidden="true">{title}</span>
      <ul aria-label={title}>{[...counted].map(([name, count]) => <li class="chip" key={name}>{name}{count > 1 || name === '' ? ` ${name === '' ? '' : '× '}${count}` : ''}</li>)}</ul>
    </div>
  );
}

/** An explicit tree as nested lists. */
function TreeState({ node }: { node: Fields }) {
  const label = `${String(node.name ?? '')}${node.value === undefined || node.value === null ? '' : ` = ${String(node.value)}`}`;
  return (
    <ul class="tree-state">
      <li>
        <span class={`chip ${String(node.mover ?? '')}`}>{label}{node.mover ? ` (${String(node.mover)})` : ''}</span>
        {list(node.children).map((child, index) => <TreeState key={index} node={fields(child)} />)}
      </li>
    </ul>
  );
}
