import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aContext, aPage } from './helpers/a-page.ts';
import { anotherSite } from './helpers/another-site.ts';
import { barriers, DESK, TELEPHONE } from './helpers/barriers.ts';
import { watchForFaults } from './helpers/watch-for-faults.ts';
import { startedBrowser } from './setup/started.ts';

const isOurs = process.platform === 'linux' && (process.env['CALLSHEET_BROWSER'] ?? '') === '';
/** Of the C library and the compiler, which Node itself needs. */
const NODE_HAS = /\/(ld-linux-x86-64|lib(c|m|dl|rt|pthread|gcc_s))\.so/;

describe('the browser of the tests', () => {
  it.skipIf(!isOurs)('runs from the npm packages alone', async () => {
    await startedBrowser();
    const children = readFileSync('/proc/thread-self/children', 'utf8').trim().split(' ');
    const mapped = children
      .map((pid) => readFileSync(`/proc/${pid}/maps`, 'utf8'))
      .flatMap((maps) => maps.match(/\/\S+\.so[.\d]*$/gm) ?? []);
    const elsewhere = mapped.filter((path) => !NODE_HAS.test(path));
    expect(elsewhere.filter((path) => path.includes('/libnss3.so'))).not.toEqual([]);
    for (const path of elsewhere) expect(path).toContain('/node_modules/.cache/chromium-');
  });

  it('finds no host but this machine', async () => {
    const page = await (await aContext()).newPage();
    await expect(page.goto('http://example.com/')).rejects.toThrow('ERR_NAME_NOT_RESOLVED');
  });

  it('fails the test of a page that throws, breaks its policy, or asks another host', async () => {
    const policy = `<meta http-equiv="content-security-policy" content="script-src 'self'">`;
    const image = '<img src="http://elsewhere.example/">';
    const port = await anotherSite(`${policy}${image}<script>1</script>`);
    const context = await aContext();
    const url = `http://127.0.0.1:${port}`;
    const faults = await watchForFaults(context, url, [/expected by the test/]);
    const page = await context.newPage();
    await page.goto(url);
    await page.evaluate(`console.error('a'); console.error('expected by the test');
      setTimeout(() => { throw new Error('b') })`);
    const text = () => faults.join('\n');
    await expect.poll(text).toContain('thrown: Error: b');
    expect(text()).toContain('console: a ');
    expect(text()).toContain('content security policy: script-src-elem inline');
    expect(text()).toContain('another host was asked: http://elsewhere.example/');
    expect(text()).not.toContain('expected');
  });

  it('tells what keeps people from using a page, in both themes, on a telephone and at a desk', async () => {
    const pale = '@media (prefers-color-scheme: dark) { p { color: #888; background: #777 } }';
    const body = `<style>${pale}</style><main><h1>a</h1><input><p>some words</p></main>`;
    const url = `http://127.0.0.1:${await anotherSite(body)}`;
    const page = await aPage({ url, link: null }, { isSignedIn: false });
    await page.goto('/');
    const told = (await barriers(page, { looks: [TELEPHONE, DESK] }))
      .filter((line) => /: (label|color-contrast) /.test(line))
      .map((line) => line.slice(0, line.indexOf(': Fix')));
    expect(told).toEqual([
      'light, 360 px: label (critical) at input',
      'dark, 1440 px: color-contrast (serious) at p',
      'dark, 1440 px: label (critical) at input',
    ]);
  });
});
