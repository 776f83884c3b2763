import { expect, type Page, test } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { password, startWithProject } from './account.ts';

async function callProcedure<T>(page: Page, baseURL: string, name: string, input: object): Promise<T> {
  const answer = await page.request.post(`/trpc/${name}`, { data: input, headers: { Origin: baseURL } });
  const body = (await answer.json()) as { result: { data: T } };
  expect(answer.ok(), JSON.stringify(body)).toBe(true);
  return body.result.data;
}

test('signing in with a second factor, by the app and by a recovery code', async ({
  page,
  baseURL: given,
}) => {
  const baseURL = given ?? '';
  const { email } = await startWithProject(page, baseURL);
  const { secret } = await callProcedure<{ secret: string }>(page, baseURL, 'secondFactor.start', {
    password,
  });
  const codeAfter = (steps: number) =>
    new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
  const confirmed = { code: codeAfter(0) };
  const { recoveryCodes } = await callProcedure<{ recoveryCodes: string[] }>(
    page,
    baseURL,
    'secondFactor.confirm',
    confirmed,
  );
  const showPassword = async () => {
    await page.context().clearCookies({ name: 'vectora_session' });
    await page.goto('/login');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  };

  await test.step('by the app, with the keyboard alone', async () => {
    await showPassword();
    await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
    await expectAccessible(page, 'login, code');
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('not right');
    await expectStateAccessible(page, 'login, wrong code');
    await page.keyboard.type(codeAfter(1));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  await test.step('by a recovery code', async () => {
    await showPassword();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await expectStateAccessible(page, 'login, recovery code');
    await page.keyboard.type(recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/dashboard$/);
  });
});
