import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { catalogue } from './catalogue.ts';
import { watchConsole } from './console-watch.ts';

test('a workspace is watched: figures, charts as tables, rules, and the health of collections', async ({
  page,
  baseURL: given,
}) => {
  const baseURL = given ?? '';
  const { projectId } = await startWithProject(page, baseURL);
  const watch = watchConsole(page);
  const panel = (name: string) => page.getByRole('region', { name, exact: true });

  await test.step('a workspace where nothing has happened yet says so', async () => {
    await page.goto('/monitoring');
    await expect(panel('Recent alerts')).toContainText('No alerts');
    await expect(panel('Alert rules')).toContainText('No alert rules');
    await expect(panel('Collection health')).toContainText('No collections yet');
    await expectAccessible(page, 'monitoring, fresh');
  });

  await test.step('what a collection is asked is counted', async () => {
    const id = await addCollection(page, baseURL, projectId, 'Shop', catalogue);
    for (let i = 0; i < 3; i += 1) await page.request.get(`/api/collections/${id}/search?q=kettle`);
    await expect(async () => {
      await page.reload();
      const health = panel('Collection health').getByRole('row', { name: /^Shop/ });
      await expect(health).toContainText('Healthy', { timeout: 2_000 });
      expect(await health.getByRole('cell').last().innerText()).toBe('3');
    }).toPass();
  });

  await test.step('the range is in the address, and each chart has its table', async () => {
    await page.getByRole('radiogroup', { name: 'Time range' }).getByText('7d').click();
    await expect(page).toHaveURL(/range=7d/);
    await page.getByRole('button', { name: 'View Requests as table' }).click();
    const table = panel('Requests').getByRole('table');
    await expect(table.getByRole('columnheader')).toHaveText(['From', 'Requests', '4xx', '5xx']);
    await expectAccessible(page, 'monitoring, table');
    await page.goBack();
    await expect(page).toHaveURL(/\/monitoring$/);
    await expect(page.getByRole('radio', { name: '24h' })).toBeChecked();
  });

  const dialog = page.getByRole('dialog');

  await test.step('a rule is made with the keyboard, paused, and deleted', async () => {
    await panel('Alert rules').getByRole('button', { name: 'New rule' }).press('Enter');
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.type('Too many errors');
    await expectAccessible(page, 'monitoring, new rule');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    const rule = panel('Alert rules').getByRole('listitem');
    await expect(rule).toContainText('Error rate (4xx and 5xx) above 5 % over 5 minutes');
    await rule.getByRole('switch').press('Space');
    await expect(rule).toContainText('Paused');
    await expectAccessible(page, 'monitoring, rule');
    await rule.getByRole('button', { name: 'Delete Too many errors' }).click();
    await dialog.getByRole('button', { name: 'Delete rule' }).click();
    await expect(panel('Alert rules')).toContainText('No alert rules');
  });

  watch.expectQuiet();
});
