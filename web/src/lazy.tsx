// Parts of the page that are loaded when they are first shown.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ComponentType } from 'preact';
import { words } from './words';

/** A component that is fetched when it is first drawn. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  const loaded = signal<{ part: ComponentType } | 'asked' | 'failed' | null>(null);
  const fetchIt = () => {
    loaded.value = 'asked';
    load().then((part) => (loaded.value = { part }), () => (loaded.value = 'failed'));
  };
  return function Lazy() {
    useEffect(() => void (loaded.peek() ?? fetchIt()), []);
    if (loaded.value === 'failed') return <p class="trouble" role="alert">{words().failedToLoad} <button onClick={fetchIt}>{words().retry}</button></p>;
    const Part = typeof loaded.value === 'object' ? loaded.value?.part : null;
    return Part ? <Part /> : null;
  };
}
