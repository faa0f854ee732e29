// The same question in several languages. The files are those that run in the checks.

import curl from '../../snippets/bestmove.sh?raw';
import javascript from '../../snippets/bestmove.mjs?raw';
import python from '../../snippets/bestmove.py?raw';
import csharp from '../../snippets/BestMove.cs?raw';
import godot from '../../snippets/best_move.gd?raw';
import unity from '../../snippets/BestMoveUnity.cs?raw';
import { words } from '../words';

const SNIPPETS = [['curl', curl], ['JavaScript', javascript], ['Python', python], ['C#', csharp], ['Godot', godot], ['Unity', unity]] as const;

export function Snippets() {
  return (
    <>
      <h2>{words().snippets}</h2>
      {SNIPPETS.map(([name, text]) => (
        <section key={name}>
          <h3>{name}</h3>
          <pre tabIndex={0}>{text.replaceAll('http://127.0.0.1:8080', location.origin)}</pre>
        </section>
      ))}
    </>
  );
}
