import '@fontsource-variable/inter';
import { render } from 'preact';
import './style/all.css';
import { App } from './shell/app.tsx';
import { followLinks } from './shell/navigation.ts';
import { applyTheme } from './shell/theme.tsx';

applyTheme();
followLinks();
const root = document.querySelector('#app');
if (root !== null) render(<App />, root);

/*
 * uPlot asks for the browser's language as soon as it is loaded, and fails on one that is no language tag: a browser
 * without a locale, as on servers, says "en-US@posix". Charts are loaded later.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-GB', configurable: true });
}
