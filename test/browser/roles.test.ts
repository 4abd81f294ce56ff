import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../helpers/console.ts';
import { operationsOf, type Operation } from '../helpers/requests/api-operations.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage } from './helpers/a-page.ts';

const USERS = { olga: 'operator', vera: 'viewer' } as const;
const NUMBER = '+12125550101';
const MASKED = /\+1.*\*/;

/** What whoever is signed in may do for themselves, and a question that is asked with a body. */
const FOR_ANYBODY = [
  'POST /api/v1/session',
  'DELETE /api/v1/session',
  'PUT /api/v1/session/password',
  'POST /api/v1/rules/week',
];

describe('a viewer and an operator, each in a browser of their own', () => {
  it('see the same list: the operator changes it, the viewer sees masked numbers and no button', async () => {
    const console = await aConsole({ users: USERS });
    const [viewer, operator] = [
      await aPage(console, { isSignedIn: false }),
      await aPage(console, { isSignedIn: false }),
    ];
    await signIn(viewer, 'vera', 'viewer');
    await signIn(operator, 'olga', 'operator');

    await operator.getByRole('link', { name: 'Add a number' }).click();
    await operator.getByLabel('Number', { exact: true }).fill(NUMBER);
    await operator.getByLabel('Note').fill('asked by mail');
    await operator.getByRole('button', { name: 'Suppress it' }).click();
    await operator.getByRole('rowheader', { name: NUMBER }).waitFor();

    await viewer.reload();
    await viewer.getByText('asked by mail').waitFor();
    expect(await viewer.getByRole('rowheader').innerText()).toMatch(MASKED);
    expect(await viewer.content()).not.toContain(NUMBER);
    const main = viewer.getByRole('main');
    expect(await main.getByRole('button').count()).toBe(0);
    expect(await main.getByRole('link').count()).toBe(0);
    // An address that was sent by somebody who may do more opens no form either.
    await viewer.goto('/suppression?do=add');
    await viewer.getByText('asked by mail').waitFor();
    expect(await viewer.getByRole('dialog').count()).toBe(0);
    for (const page of ['/access', '/log']) {
      await viewer.goto(page);
      await viewer.getByText(/for admins/).waitFor();
    }
  });

  it('are told apart by the console itself: the viewer is refused on every route that changes something', async () => {
    const console = await aConsole({ users: USERS });
    const [viewer, operator] = [
      await aPage(console, { as: 'vera' }),
      await aPage(console, { as: 'olga' }),
    ];
    const changes = (await operationsOf(console)).filter(
      (each) => each.method !== 'GET' && !FOR_ANYBODY.includes(`${each.method} ${each.path}`),
    );
    expect(changes.length).toBeGreaterThan(30);
    for (const page of [viewer, operator]) await page.goto('/');
    const wrong: string[] = [];
    for (const change of changes) {
      const refused = await asked(viewer, change);
      const isRefused = refused.status === 403 && refused.code === 'NOT_ALLOWED';
      if (!isRefused) wrong.push(`${change.method} ${change.path}: ${refused.status}`);
    }
    expect(wrong).toEqual([]);
    // The same request with more rights is refused for what is in it, so the role was what decided.
    expect(await asked(operator, { method: 'POST', path: '/api/v1/suppression' })).toEqual({
      status: 400,
      code: 'REQUEST_INVALID',
    });
  });
});

async function signIn(page: Page, name: string, role: string): Promise<void> {
  await page.goto('/suppression');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: `${name} (${role})` }).waitFor();
}

/** Asks from the page itself, with its cookie and its origin. */
function asked(page: Page, { method, path }: Operation): Promise<{ status: number; code: string }> {
  return page.evaluate(`fetch(${JSON.stringify(path)}, {
    method: ${JSON.stringify(method)},
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }).then(async (answer) => ({ status: answer.status, code: (await answer.json()).code }))`);
}
