import { test as base } from '@playwright/test';
import { fullSite, type Site } from './site.ts';

/** Tests of one worker share an account that has something of everything: to make it takes longer than most of them. They leave it as it was. */
export const test = base.extend<{ site: Site }, { shared: { site: Site; state: string } }>({
  shared: [
    async ({ browser }, use, { project }) => {
      const baseURL = project.use.baseURL ?? '';
      const context = await browser.newContext({ baseURL });
      const site = await fullSite(await context.newPage(), baseURL);
      const state = JSON.stringify(await context.cookies());
      await context.close();
      await use({ site, state });
    },
    { scope: 'worker' },
  ],
  site: async ({ context, shared }, use) => {
    await context.addCookies(JSON.parse(shared.state));
    await use(shared.site);
  },
});
