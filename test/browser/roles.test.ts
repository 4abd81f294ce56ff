import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../helpers/console.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage } from './helpers/a-page.ts';

const USERS = { olga: 'operator', vera: 'viewer' } as const;
const NUMBER = '+12125550101';
const MASKED = /\+1.*\*/;

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
});

async function signIn(page: Page, name: string, role: string): Promise<void> {
  await page.goto('/suppression');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: `${name} (${role})` }).waitFor();
}
