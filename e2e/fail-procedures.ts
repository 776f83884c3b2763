import type { Page } from '@playwright/test';

/** From now on the server fails at these procedures, and answers the others of the same request. `page.unrouteAll` ends it. */
export async function failProcedures(page: Page, isFailing: (procedure: string) => boolean): Promise<void> {
  const data = {
    code: 'INTERNAL_SERVER_ERROR',
    httpStatus: 503,
    appCode: 'UNAVAILABLE',
    requestId: 'req_e2e',
  };
  const failed = { error: { message: 'The database is away', code: -32603, data } };
  await page.route(
    (url) => proceduresOf(url).some(isFailing),
    async (route) => {
      const { 'trpc-accept': _, ...headers } = route.request().headers();
      const response = await route.fetch({ headers });
      const answered = (await response.json()) as unknown[];
      const names = proceduresOf(new URL(route.request().url()));
      const parts = names.map((name, i) => (isFailing(name) ? failed : answered[i]));
      // As the console reads a batch: one line that holds all answers by their place.
      const line = JSON.stringify(Object.fromEntries(parts.map((part, i) => [i, [[part]]])));
      await route.fulfill({ response, status: 200, body: `${line}\n` });
    },
  );
}

function proceduresOf({ pathname }: URL): string[] {
  return pathname.startsWith('/trpc/') ? pathname.replace('/trpc/', '').split(',') : [];
}
