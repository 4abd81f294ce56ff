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
