/*
 * uPlot asks for the browser's language as soon as it is loaded, and fails on one that is no language tag: a browser
 * without a locale, as on servers, says "en-US@posix". It has to be imported before uPlot.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-GB', configurable: true });
}
