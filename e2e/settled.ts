import type { Page } from '@playwright/test';

/** Until nothing is waited for. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('.mantine-Skeleton-root, [data-bone], .mantine-Loader-root') === null &&
      document.fonts.status === 'loaded',
  );
}
