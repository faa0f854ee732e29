// Parts of the page that are loaded when they are first shown.

import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';

/** A component that is fetched when it is first drawn. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  const loaded = signal<{ part: ComponentType } | null>(null);
  let asked = false;
  return function Lazy() {
    if (!loaded.value && !asked) {
      asked = true;
      void load().then((part) => (loaded.value = { part }));
    }
    const Part = loaded.value?.part;
    return Part ? <Part /> : null;
  };
}
