import { signal } from '@preact/signals';
import { Button } from '../parts/button.tsx';

const KEY = 'callsheet.theme';
const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
export const THEME_WORDS: Record<Theme, string> = {
  system: 'as the system',
  light: 'light',
  dark: 'dark',
};

export const theme = signal(stored());
/** Counts changes of colours, for what is drawn on a canvas and has to be drawn again. */
export const themeChanges = signal(0);

/** Light, dark, or as the system has it; remembered in this browser. */
export function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  const text = `Colours: ${THEME_WORDS[theme.value]}. Change to ${THEME_WORDS[next]}.`;
  return (
    <Button
      kind="quiet small"
      icon={theme.value === 'dark' ? 'moon' : theme.value === 'light' ? 'sun' : 'halves'}
      title={text}
      aria-label={text}
      onClick={() => setTheme(next)}
    >
      Colours
    </Button>
  );
}

/** Called once, before anything is drawn. */
export function applyTheme(): void {
  setTheme(theme.value);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    themeChanges.value += 1;
  });
}

/** @param chosen one of THEMES; anything else changes nothing */
export function chooseTheme(chosen: string): void {
  const known = THEMES.find((one) => one === chosen);
  if (known !== undefined) setTheme(known);
}

function setTheme(chosen: Theme): void {
  theme.value = chosen;
  const { dataset } = document.documentElement;
  if (chosen === 'system') delete dataset['theme'];
  else dataset['theme'] = chosen;
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // A browser that keeps nothing: it holds until the page is closed.
  }
  themeChanges.value += 1;
}

function stored(): Theme {
  try {
    return THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}
