import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

const documents = 63;

/** The address of the map of a collection with the sample. */
async function loadProducts(page: Page, baseURL: string): Promise<string> {
  const { projectId } = await startWithProject(page, baseURL);
  const answer = await page.request.post('/trpc/samples.load', {
    data: { projectId, sample: 'products' },
    headers: { Origin: baseURL },
  });
  const loaded = (await answer.json()) as { result: { data: { collection: { id: number } } } };
  return `/collections/${loaded.result.data.collection.id}?tab=map`;
}

test('a map of a collection: colors, lasso, search on it, the same as a table, and the way to the documents', async ({
  page,
  baseURL,
}) => {
  const address = await loadProducts(page, baseURL ?? '');
  const watched = watchConsole(page);
  await page.goto(address);
  const map = page.getByRole('application', { name: `Map of ${documents} documents of Products` });
  await expect(map).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Drawing the map' })).toBeHidden();
  // As many colors as the legend has, and more where points overlap.
  const legend = page.getByRole('list', { name: /^Colors:/ }).getByRole('button');
  await expect(legend.first()).toBeVisible();
  const colors = await legend.count();
  expect(colors).toBeGreaterThan(2);
  await expect.poll(async () => (await paintedColors(page)).length).toBeGreaterThanOrEqual(colors);
  const light = await paintedColors(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(async () => (await paintedColors(page)).filter((one) => light.includes(one))).toEqual([]);
  await expectAccessible(page, 'map');

  const filter = page.getByRole('textbox', { name: 'Filter' });
  await filter.fill('price:>50');
  await expect(
    page.getByRole('application', { name: /^Map of [1-5]?\d documents of products$/ }),
  ).toBeVisible();
  await expect(map).toBeHidden();
  await filter.fill('');
  await expect(map).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Drawing the map' })).toBeHidden();

  await page.getByText('Lasso').click();
  const box = await map.boundingBox();
  if (!box) throw new Error('the map has a place');
  const corner = (x: number, y: number) => page.mouse.move(box.x + x * box.width, box.y + y * box.height);
  await corner(0.01, 0.01);
  await page.mouse.down();
  for (const [x, y] of [
    [0.99, 0.01],
    [0.99, 0.99],
    [0.01, 0.99],
  ] as const)
    await corner(x, y);
  await page.mouse.up();
  await expect(page.getByText(`${documents} documents selected`)).toBeVisible();

  const [, count = '0'] =
    /, (\d+) documents$/.exec((await legend.first().getAttribute('aria-label')) ?? '') ?? [];
  await legend.first().click();
  await expect(page.getByText(`${count} documents selected`)).toBeVisible();
  await page.getByRole('link', { name: `Show these ${count} as a filter` }).click();
  await expect(page.getByText(`${count} of ${documents} documents`)).toBeVisible();

  await page.goBack();
  await page.getByLabel('Find on the map').fill('coffee');
  await page.getByRole('button', { name: 'Select them' }).click();
  await page.getByText('Table', { exact: true }).click();
  const first = page.getByRole('checkbox').first();
  await expect(first).toBeChecked();
  await first.press('Space');
  await expect(first).not.toBeChecked();
  await expect(page).toHaveURL(/find=coffee/);
  await expectStateAccessible(page, 'map as a table');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Map' })).toBeInViewport({ ratio: 0.9 });
  watched.expectQuiet();
});

/** Of points that no other one covers. */
function paintedColors(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const canvas = document.querySelector('canvas');
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const colors = new Set<number>();
    for (let i = 0; i < pixels.length; i += 4)
      if (pixels[i + 3] === 217)
        colors.add(((pixels[i] ?? 0) << 16) | ((pixels[i + 1] ?? 0) << 8) | (pixels[i + 2] ?? 0));
    return [...colors];
  });
}
