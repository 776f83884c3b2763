import { expect, test } from '@playwright/test';
import { addCollection, startWithProject } from './account.ts';

test('on a phone the name of a hit’s collection can be read, and so can a short title', async ({
  page,
  baseURL,
}) => {
  const { projectId } = await startWithProject(page, baseURL ?? '');
  const add = (name: string, documents: object[]) =>
    addCollection(page, baseURL ?? '', projectId, name, documents);
  const text = 'A robot that learns to love goes on a long journey by night.';
  await add('prints-and-drawings', [
    { id: 'a', title: 'Robot', text },
    { id: 'b', title: 'The robot and the sea', text, artist: 'Sir Eduardo Paolozzi' },
  ]);
  await add('artworks', [{ id: 'c', title: 'Robot commander', year: 1970 }]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/search?q=robot');
  const hits = page.getByRole('list', { name: 'Hits' }).locator('> li');
  await expect(hits).toHaveCount(3);
  const cut = () =>
    hits.evaluateAll((rows) =>
      rows
        .flatMap((row) => [...row.querySelectorAll('[data-hit], .mantine-Badge-label')])
        .filter((box) => box.scrollWidth > box.clientWidth)
        .map(({ textContent }) => textContent),
    );
  await expect.poll(cut).toEqual([]);
  const wider = await hits.evaluateAll(
    (rows) => rows.filter((row) => row.scrollWidth > row.clientWidth).length,
  );
  expect(wider).toBe(0);
});
