import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

/** Rules look at whole minutes, three times in each. */
const withinMinutes = { timeout: 180_000 };

/** Monitoring from its figures to an alert and its end. Each step names the sentence that it proves. */
test('monitoring: real figures by range, as charts and tables; a rule raises an alert, which is told and resolved', async ({
  page,
  baseURL,
}) => {
  const origin = String(baseURL);
  const receiver = await startReceiver();
  const { projectId } = await startWithProject(page, origin);
  await addCollection(page, origin, projectId, 'films', [{ id: 'd1', title: 'star wars' }]);
  for (let i = 0; i < 7; i += 1) await page.request.get('/api/collections/films/search?q=star');
  await page.request.get('/api/collections/films/search?q=star&filter_by=year:>');
  const watched = watchConsole(page);
  const main = page.getByRole('main');
  const panel = (name: string) => page.getByRole('region', { name, exact: true });

  await test.step('G and M lead there', async () => {
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await expect(page).toHaveURL(/\/monitoring$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Monitoring' })).toBeVisible();
  });

  await test.step('the cards tell what was asked', async () => {
    const chart = { name: /^Bar chart of \d\d requests in the last 24 hours/ };
    await expect(panel('Requests').getByRole('img', chart)).toBeVisible();
    await expect(main.getByText('Uptime').first()).toBeVisible();
    await expect(panel('Resource usage').getByText('Memory').first()).toBeVisible();
    await expect(panel('Collection health').getByText('films').first()).toBeVisible();
  });

  await test.step('the range is the address, and a reload keeps it', async () => {
    for (const range of ['1h', '7d', '30d']) {
      await page.getByRole('radiogroup', { name: 'Time range' }).getByText(range, { exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`range=${range}`));
    }
    await page.reload();
    await expect(page.getByRole('radio', { name: '30d' })).toBeChecked();
    await page.getByRole('radiogroup', { name: 'Time range' }).getByText('24h', { exact: true }).click();
    await expect(page).toHaveURL(/\/monitoring$/);
  });

  await test.step('keys lead away and back while the range has the focus', async () => {
    await expect(page.getByRole('radio', { name: '24h' })).toBeFocused();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await expect(page).toHaveURL(/\/events$/);
    await page.getByText('Insert', { exact: true }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await expect(page).toHaveURL(/\/monitoring$/);
  });

  await test.step('each chart is a table as well', async () => {
    for (const [name, column] of [
      ['Requests', '4xx'],
      ['Response time', 'p95'],
      ['Resource usage', 'Memory'],
      ['Active connections', 'Live'],
    ] as const) {
      await page.getByRole('button', { name: `View as table: ${name}` }).click();
      const table = panel(name).getByRole('table');
      await expect(table.getByRole('columnheader', { name: column })).toBeVisible();
      // A server that has just started has its first row at the end of a minute.
      await expect(table.getByRole('row').nth(1)).toBeVisible(withinMinutes);
    }
    await expect(panel('Requests').getByRole('row').nth(1)).toContainText('1');
    await expectAccessible(page, 'monitoring, as tables');
    await page.getByRole('button', { name: 'View as chart: Requests' }).click();
  });

  const secret =
    await test.step('a webhook is made: its secret is shown once, and a test says what the receiver answers', async () => {
      await panel('Webhooks').getByRole('button', { name: 'New webhook' }).click();
      const dialog = page.getByRole('dialog', { name: 'New webhook' });
      await dialog.getByLabel('Name').fill('On call');
      await dialog.getByLabel('URL').fill('not an address');
      await dialog.getByRole('button', { name: 'Create webhook' }).click();
      await expect(dialog.getByText(/must be an address that begins with/)).toBeVisible();
      await dialog.getByLabel('URL').fill(receiver.url);
      await dialog.getByRole('button', { name: 'Create webhook' }).click();
      const shown = dialog.getByLabel('Secret', { exact: true });
      await expect(shown).toHaveValue(/^whsec_/);
      const value = await shown.inputValue();
      await expectAccessible(page, 'a webhook’s secret');
      await dialog.getByRole('button', { name: 'Done' }).click();
      await panel('Webhooks').getByRole('button', { name: 'Send test to On call' }).click();
      await expect(panel('Webhooks').getByText(/Received: it answers 204/)).toBeVisible();
      await expect(panel('Webhooks').getByText(/Test: received \(204\)/)).toBeVisible();
      expect(isSigned(value, receiver.received[0])).toBe(true);
      return value;
    });

  await test.step('a rule is made, and raises an alert', async () => {
    await panel('Alert rules').getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New alert rule' });
    await dialog.getByLabel('Name').fill('Memory in use');
    await dialog.getByRole('combobox', { name: 'Metric' }).click();
    await page.getByRole('option', { name: 'Memory', exact: true }).click();
    await dialog.getByLabel('Threshold, in %').fill('0');
    await dialog.getByLabel('Over, in minutes').fill('5');
    await dialog.getByRole('button', { name: 'Create rule' }).click();
    await expect(panel('Alert rules').getByText('Memory above 0 % over 5 minutes')).toBeVisible();
    await expect(panel('Recent alerts').getByText('Memory in use')).toBeVisible(withinMinutes);
    await expect(panel('Recent alerts').getByText('Active', { exact: true })).toBeVisible();
  });

  await test.step('the alert stands in the notifications, which lead to Monitoring', async () => {
    await page.goto('/dashboard');
    await page.getByRole('button', { name: /^Notifications, 1 alert active/ }).click();
    const alerts = page.getByRole('region', { name: 'Active alerts' });
    await expect(alerts.getByText('Memory in use')).toBeVisible();
    await alerts.getByRole('link', { name: 'Show in Monitoring' }).click();
    await expect(page).toHaveURL(/\/monitoring$/);
  });

  await test.step('it is resolved when its condition is met no more', async () => {
    await panel('Alert rules').getByRole('button', { name: 'Edit Memory in use' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit alert rule' });
    await dialog.getByLabel('Threshold, in %').fill('100');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(panel('Recent alerts').getByText('Resolved', { exact: true })).toBeVisible(withinMinutes);
    await page.getByRole('button', { name: /^Notifications(?!.*alert)/ }).click();
    const said = page.getByRole('list', { name: 'Newest first' }).getByRole('listitem').first();
    await expect(said).toContainText(/Resolved: Memory in use.*active for (less than a minute|\d)/);
    await page.keyboard.press('Escape');
  });

  await test.step('the receiver was told of both, signed', async () => {
    await expect
      .poll(() => receiver.received.map(({ body }) => JSON.parse(body).type))
      .toEqual(['webhook.test', 'alert.raised', 'alert.resolved']);
    for (const message of receiver.received) expect(isSigned(secret, message)).toBe(true);
    await expect(panel('Webhooks').getByText(/Alert resolved: received \(204\)/)).toBeVisible();
    await expectAccessible(page, 'monitoring');
  });

  await test.step('rule and webhook are deleted', async () => {
    await confirmDeletion(page, 'Delete Memory in use', 'Delete rule');
    await confirmDeletion(page, 'Delete On call', 'Delete webhook');
    await expect(panel('Webhooks').getByText('No webhooks')).toBeVisible();
  });
  watched.expectQuiet();
  await receiver.close();
});

async function confirmDeletion(page: Page, button: string, confirm: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').getByRole('button', { name: confirm }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  // What stands below it moves when it is gone.
  await expect(page.getByRole('button', { name: button })).toBeHidden();
}

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

async function startReceiver() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/alerts`, received, close: async () => void server.close() };
}

/** As Standard Webhooks says. */
function isSigned(secret: string, message: Received | undefined): boolean {
  if (!message) return false;
  const { headers, body } = message;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const said = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(said).digest('base64')}`;
}
