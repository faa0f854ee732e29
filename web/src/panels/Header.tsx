// The header: the game, the modes, language and colours.

import { effect, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isDrawable } from '../board/glyphs';
import { PICTOGRAMS, pictured, togglePictures } from '../board/pictograms';
import { dispatch, game, state } from '../store/session';
import { MODES } from '../store/state';
import { choose, language, words } from '../words';

const SETTING = 'bestmove.theme';
const theme = signal(localStorage.getItem(SETTING));
effect(() => {
  if (theme.value) document.documentElement.dataset.theme = theme.value;
  else delete document.documentElement.dataset.theme;
});

function toggleTheme() {
  const dark = theme.value ? theme.value === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  theme.value = dark ? 'light' : 'dark';
  localStorage.setItem(SETTING, theme.value);
}

/** Whether pieces of the game can be drawn as pictures. */
const hasPictures = () => game.value?.board?.pieces.some(({ shape, mark }) => shape === 'token' && PICTOGRAMS[mark.toLowerCase()]) ?? false;

export function Header() {
  const text = words();
  // Fonts are looked for when the page has been seen: that takes as long as all else until then.
  const lacksFont = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (lacksFont.value = !isDrawable([...text.language][0]!)));
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <header>
      <h1>bestmove <span class="game-title">{game.value?.title}</span></h1>
      <nav aria-label="bestmove">
        {MODES.map((mode) => (
          <button key={mode} aria-pressed={state.value.mode === mode} onClick={() => dispatch({ type: 'mode', mode })}>{text[mode]}</button>
        ))}
        <a href="/docs">{text.reference}</a>
      </nav>
      <div class="settings">
        <button onClick={() => choose(language.value === 'zh' ? 'en' : 'zh')} lang={language.value === 'zh' ? 'en' : 'zh'}>{lacksFont.value ? 'zh' : text.language}</button>
        {hasPictures() && <button aria-pressed={pictured.value} aria-label={text.pictures} title={text.pictures} onClick={togglePictures}>♞</button>}
        <button onClick={toggleTheme} aria-label={text.theme} title={text.theme}>◐</button>
      </div>
    </header>
  );
}
