// Texts in the language of the page.

import { effect, signal } from '@preact/signals';
import { RequestError, speak, type Failure, type Score } from '../api/client';
import { en } from './en';
import { zh } from './zh';

export type Language = 'en' | 'zh';
export type Words = typeof en;

const SETTING = 'bestmove.language';
const stored = localStorage.getItem(SETTING);

/** The language of the page: the last one chosen, else the browser's. */
export const language = signal<Language>(stored === 'en' || stored === 'zh' ? stored : navigator.language.startsWith('zh') ? 'zh' : 'en');

effect(() => {
  document.documentElement.lang = language.value === 'zh' ? 'zh-Hans' : 'en';
  speak(language.value);
});

export function choose(next: Language) {
  localStorage.setItem(SETTING, next);
  language.value = next;
}

/** The texts. */
export function words(): Words {
  return language.value === 'zh' ? zh : en;
}

/** Why there is no answer, in words. */
export function failureText(failure: Failure): string {
  const text = words();
  switch (failure.kind) {
    case 'offline':
      return text.offline;
    case 'busy':
      return text.busy(failure.wait);
    case 'quota':
      return text.quota(failure.wait);
    case 'problem':
      return failure.problem.detail;
  }
}

/** The same of anything that was thrown, where nothing is tried again. */
export function errorText(error: unknown): string {
  if (!(error instanceof RequestError)) return String(error);
  return failureText('wait' in error.failure ? { ...error.failure, wait: 0 } : error.failure);
}

/** A count with its thousands apart. The browser's own formats take 30 ms to begin, in the middle of a search. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A probability in percent. */
export function percent(probability: number): string {
  return `${Math.round(probability * 100)} %`;
}

/** A score in words, as the side sees it whose score it is. Proofs are words, never numbers. */
export function scoreText(score: Score): string {
  const text = words();
  switch (score.kind) {
    case 'win':
      return text.winsIn(score.plies ?? 0);
    case 'loss':
      return text.losesIn(score.plies ?? 0);
    case 'draw':
      return text.draw;
    case 'estimate':
      return percent(score.value);
    case 'unknown':
      return '?';
    default:
      return `${score.value > 0 ? '+' : ''}${Math.round(score.value * 100) / 100}`;
  }
}
