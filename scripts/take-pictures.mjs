/**
 * Pictures of every page and dialog of the console, light, dark, and on two widths of a phone: what one looks through before a release.
 *
 *   node scripts/take-pictures.mjs FOLDER [--only search,landing] [--documents 1500]
 *   node scripts/take-pictures.mjs --start-page     # those of the start page and of README, on a quiet machine
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openConsole, settle } from './console-place.mjs';
import { at } from './freshness.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    documents: { type: 'string', default: '1500' },
    'start-page': { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (!folder && !values['start-page']) throw new Error('Name the folder that the pictures go to');

const views = {
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  390: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  320: { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
};

const menu = (item) => async (page) => {
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
  await page.getByRole('dialog').waitFor();
};
const press =
  (name, role = 'button') =>
  async (page) => {
    await page.getByRole(role, { name, exact: true }).first().click();
  };
const then =
  (...steps) =>
  async (page) => {
    for (const step of steps) await step(page);
  };
const judgedTuning = (place) => `/collections/${place.collections.films}?tab=tuning&on=judged`;
/** Without the pin, and with meaning alone. */
const compareOverridesOff = async (page) => {
  await page.getByRole('switch', { name: 'Overrides act' }).click({ force: true });
  await page.getByRole('slider', { name: 'Meaning against words' }).press('End');
  await page.getByRole('button', { name: 'Measure on judged queries' }).click();
  await page.getByRole('region', { name: 'nDCG@10' }).waitFor();
};
const dialog = async (page) => page.getByRole('dialog').last().waitFor();
const openFirst = async (page) => {
  await page.getByRole('table').locator('td button').first().click();
  await page.getByRole('dialog').getByRole('heading').nth(1).waitFor();
};
const editor = async (page) => page.getByRole('textbox', { name: 'Document as JSON' }).waitFor();
const write = (text) => async (page) => {
  await page.getByRole('textbox', { name: 'Document as JSON' }).press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
};
/** One field of what is in the editor. */
const changeYear = async (page) => {
  await page.getByText('"year"').last().click();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.type('"remade": true, ');
};
/** Somebody else's change of the document that is open. */
const changeElsewhere = (place) => async (page) => {
  const id = new URL(page.url()).searchParams.get('open');
  const address = `${place.url}/api/collections/${place.collections.films}/documents/${encodeURIComponent(id)}`;
  const data = { rating: Math.random(), genres: ['Drama', 'Adventure'] };
  await page.request.patch(address, { data, headers: place.headers });
  await page.getByRole('button', { name: 'See both' }).click();
};
const websiteKey = async (page, { url, project, headers }) => {
  const list = await page.request.get(`${url}/api/api-keys?projectId=${project}`, { headers });
  const { id } = (await list.json()).find(({ name }) => name === 'Website');
  return `${url}/api/api-keys/${id}`;
};
/** With the former value of the last picture ended. */
const rotate = (place) => async (page) => {
  const key = await websiteKey(page, place);
  await page.request.put(key, { data: { former: null }, headers: place.headers });
  await page.reload();
  await press('Rotate Website')(page);
  await press('Rotate API key')(page);
  await page.getByRole('textbox', { name: 'New value' }).waitFor();
};
/** A request with it, so that it is in use. */
const askWith = (place) => async (page) => {
  const shown = await page.request.post(`${await websiteKey(page, place)}/reveal`, {
    headers: place.headers,
  });
  const { key } = await shown.json();
  await page.request.get(`${place.url}/api/collections`, { headers: { 'X-API-Key': key, Cookie: '' } });
  await page.reload();
};
const suggested = async (page) =>
  page.getByRole('list', { name: 'Suggested questions' }).getByRole('button').first().waitFor();
const query = encodeURIComponent('robots learning to love');

/** What is opened, and what is done there before the picture. Pages that nobody has to be signed in for say so. */
const screens = (place) => ({
  landing: { path: '/', isPublic: true },
  'landing-hits': {
    path: '/',
    isPublic: true,
    act: async (page) => {
      await page.getByPlaceholder('Search for products').fill('something to keep me warm');
      await page.getByText(/best hits?, found/).waitFor();
    },
  },
  'landing-nothing': {
    path: '/',
    isPublic: true,
    act: async (page) => {
      await page.getByPlaceholder('Search for products').fill('qqqxyz');
      await page.getByText('Nothing in this shop fits').waitFor();
    },
  },
  'landing-comparison': {
    path: '/#compare',
    isPublic: true,
    act: async (page) => {
      await page.locator('#compare').scrollIntoViewIfNeeded();
      await page.getByText(/^Three searches in/).waitFor();
    },
  },
  'landing-contact': { path: '/', isPublic: true, act: press('Schedule Demo') },
  login: { path: '/login', isPublic: true },
  register: { path: '/register', isPublic: true },
  'register-faults': { path: '/register', isPublic: true, act: press('Create account') },
  'forgot-password': { path: '/forgot-password', isPublic: true },
  'reset-password': { path: '/reset-password/unknown', isPublic: true },
  dashboard: { path: '/dashboard' },
  monitoring: { path: '/monitoring' },
  playground: { path: '/api-playground' },
  'playground-collection': { path: `/api-playground?collection=${place.collections.films}` },
  invitation: { path: '/invitations/unknown', isPublic: true },
  'dashboard-row-menu': { path: '/dashboard', act: press('Actions for drafts') },
  'create-menu': { path: '/dashboard', act: press('Create') },
  'create-workspace': { path: '/dashboard', act: menu('New Workspace') },
  'create-project': { path: '/dashboard', act: menu('New Project') },
  'create-collection': { path: '/dashboard', act: menu('New Collection') },
  'create-collection-fields': {
    path: '/dashboard',
    act: then(menu('New Collection'), press('Add field'), press('Add field')),
  },
  events: { path: '/events' },
  'events-none-found': { path: '/events?q=zzz' },
  collections: { path: '/collections' },
  'collections-none-found': { path: '/collections?q=zzz' },
  'collection-map': {
    path: `/collections/${place.collections.films}?tab=map`,
    act: async (page) => {
      await page.getByRole('application').waitFor();
      await page.getByRole('progressbar', { name: 'Drawing the map' }).waitFor({ state: 'hidden' });
    },
  },
  'collection-map-table': { path: `/collections/${place.collections.films}?tab=map&as=table` },
  documentation: { path: '/documentation' },
  'documentation-search': {
    path: '/documentation?q=keep%20a%20document%20on%20top',
    act: async (page) => {
      await page.getByText(/passages found/).waitFor({ state: 'attached' });
    },
  },
  'documentation-nothing': {
    path: '/documentation?q=qqqxyz',
    act: async (page) => {
      await page.getByText('Nothing is said about').waitFor();
    },
  },
  'documentation-article': { path: '/documentation/filters' },
  'documentation-python': {
    path: '/documentation/searching#by-meaning',
    act: then(async (page) => {
      await page.getByText('python', { exact: true }).first().click();
    }, press('Show the key')),
  },
  'documentation-table': { path: '/documentation/limits' },
  'documentation-none': { path: '/documentation/no-such' },
  'edit-collection': { path: '/collections', act: then(press('Edit films'), dialog) },
  'delete-collection': {
    path: '/collections',
    act: then(press('Delete films'), dialog, async (page) => {
      await page.getByRole('dialog').getByRole('textbox').fill('films');
    }),
  },
  documents: { path: `/collections/${place.collections.films}` },
  'documents-columns': { path: `/collections/${place.collections.films}`, act: press('Columns') },
  'documents-json': { path: `/collections/${place.collections.films}?view=json` },
  'documents-filter': { path: `/collections/${place.collections.films}?filter=yeer:%3E1990` },
  'documents-nothing': { path: `/collections/${place.collections.films}?filter=year:%3E3000` },
  'documents-none': { path: `/collections/${place.collections.drafts}` },
  'documents-add': { path: `/collections/${place.collections.products}?add=true`, act: editor },
  document: { path: `/collections/${place.collections.films}`, act: openFirst },
  'document-json': {
    path: `/collections/${place.collections.films}`,
    act: then(openFirst, press('JSON', 'tab')),
  },
  'document-similar': {
    path: `/collections/${place.collections.films}`,
    act: then(openFirst, press('Similar', 'tab')),
  },
  'document-editor': {
    path: `/collections/${place.collections.films}`,
    act: then(openFirst, press('Edit'), editor),
  },
  'document-faults': {
    path: `/collections/${place.collections.films}`,
    act: then(openFirst, press('Edit'), editor, write('{\n  "title": "Solaris",\n  "year": 1972,,\n}')),
  },
  'document-review': {
    path: `/collections/${place.collections.films}`,
    act: then(openFirst, press('Edit'), editor, changeYear, press('Review changes')),
  },
  'collection-relevance': { path: `/collections/${place.collections.films}?tab=relevance` },
  'collection-judge': {
    path: `/collections/${place.collections.films}?tab=relevance&judge=space%20station`,
    act: async (page) => page.getByRole('list', { name: 'Documents to judge' }).waitFor(),
  },
  'document-conflict': {
    path: `/collections/${place.collections.films}`,
    act: then(openFirst, press('Edit'), editor, changeYear, changeElsewhere(place)),
  },
  projects: { path: '/projects' },
  'edit-project': { path: '/projects', act: then(press('Settings of Online shop'), dialog) },
  'delete-project': { path: '/projects', act: then(press('Delete Archive'), dialog) },
  project: { path: `/projects/${place.project}` },
  'project-keys': { path: `/projects/${place.project}?tab=api-keys` },
  'create-key': {
    path: `/projects/${place.project}?tab=api-keys`,
    act: then(press('Create API Key'), dialog),
  },
  'rotate-key': {
    path: `/projects/${place.project}?tab=api-keys`,
    act: then(press('Rotate Import job'), dialog),
  },
  'key-rotated': { path: `/projects/${place.project}?tab=api-keys`, act: rotate(place) },
  'keys-two-values': {
    path: `/projects/${place.project}?tab=api-keys`,
    act: then(rotate(place), press('Done')),
  },
  'delete-key': {
    path: `/projects/${place.project}?tab=api-keys`,
    act: then(askWith(place), press('Delete Website'), dialog),
  },
  'copy-as': {
    path: `/search?collection=${place.collections.films}&q=${query}`,
    act: then(press('Copy as'), async (page) => page.getByRole('menuitemradio').first().waitFor()),
  },
  'project-unknown': { path: '/projects/999999' },
  tuning: { path: `/collections/${place.collections.films}?tab=tuning&try=${query}` },
  'tuning-changed': {
    path: `/collections/${place.collections.films}?tab=tuning&try=alein&by=keyword`,
    act: async (page) => {
      await page
        .getByRole('radiogroup', { name: 'Typos that are forgiven in a word' })
        .getByText('None', { exact: true })
        .click();
      await page.getByRole('list', { name: 'Before: hits' }).waitFor();
    },
  },
  'tuning-synonyms': {
    path: `/collections/${place.collections.films}?tab=tuning&part=synonyms&by=keyword`,
    act: then(press('Add synonym'), async (page) => {
      await page.getByRole('textbox', { name: /Words and phrases/ }).fill('love\nromance\nsweet heart');
      await page.getByRole('list', { name: 'After: hits' }).waitFor();
    }),
  },
  'tuning-overrides': {
    path: `/collections/${place.collections.films}?tab=tuning&part=overrides&try=love`,
    act: async (page) => {
      const hits = page.getByRole('list', { name: 'Now: hits' }).getByRole('listitem');
      await hits
        .nth(3)
        .getByRole('button', { name: /Pin one higher/ })
        .click();
      await page.getByRole('list', { name: 'After: hits' }).waitFor();
    },
  },
  'tuning-judged': { path: judgedTuning(place) },
  'tuning-compared': { path: judgedTuning(place), act: compareOverridesOff },
  'tuning-compared-query': {
    path: judgedTuning(place),
    act: then(compareOverridesOff, async (page) => {
      await page.getByRole('button', { name: 'robots learning to love' }).click();
      await page.getByRole('list', { name: 'After: hits' }).waitFor();
    }),
  },
  'tuning-overrides-none': { path: `/collections/${place.collections.films}?tab=tuning&part=overrides` },
  'collection-schema': { path: `/collections/${place.collections.films}?tab=schema` },
  'collection-analytics': { path: `/collections/${place.collections.films}?tab=analytics` },
  'collection-manage': { path: `/collections/${place.collections.films}?tab=manage` },
  'collection-analytics-none': { path: `/collections/${place.collections.drafts}?tab=analytics` },
  ask: { path: '/ask-vector', act: suggested },
  'ask-answer': {
    path: '/ask-vector',
    act: then(suggested, async (page) => {
      await page.getByRole('list', { name: 'Suggested questions' }).getByRole('button').first().click();
      await page.getByRole('button', { name: 'Copy answer' }).waitFor();
    }),
  },
  'ask-setting': { path: '/ask-vector?model=claude', act: suggested },
  'ask-unknown': { path: '/ask-vector/999999' },
  search: { path: '/search' },
  'search-hits': { path: `/search?q=${query}&collection=${place.collections.films}` },
  'search-understood': {
    path: `/search?q=${encodeURIComponent('comedy robots of the 1980s')}&collection=${place.collections.films}`,
  },
  'search-all': { path: `/search?q=${query}` },
  'search-nothing': { path: `/search?q=qqqxyz&mode=keyword&collection=${place.collections.films}` },
  settings: { path: '/settings' },
  'settings-security': { path: '/settings?tab=security' },
  'settings-workspace': { path: '/settings?tab=workspace' },
  'settings-audit': { path: '/settings?tab=audit' },
  'settings-data': { path: '/settings?tab=data' },
  'confirm-email': { path: '/confirm-email/unknown', isPublic: true },
  'not-found': { path: '/nowhere' },
});

/** Pages that the screens above do not open: a new route wants its picture. */
function routesWithout(known) {
  const files = readdirSync(at('src/client/routes')).filter((name) =>
    /^(_console\.)?[a-z$].*\.tsx$/.test(name),
  );
  const paths = files.map((name) =>
    name
      .replace(/^_console\./, '')
      .replace(/\.tsx$/, '')
      .replaceAll('.', '/')
      .replace(/\/index$|^index$|^\$$/, ''),
  );
  const isKnown = (route) => {
    const pattern = new RegExp(`^/${route.replaceAll(/\$\w+/g, '[^/?]+')}(\\?|$)`);
    return known.some((one) => pattern.test(one));
  };
  return paths.filter((route) => !isKnown(route) && !['landing', '_console'].includes(route));
}

const viewport = { width: 1280, height: 800 };
const place = await openConsole({
  documents: values['start-page'] ? 4_000 : Number(values.documents),
  isJudged: !values['start-page'],
});
try {
  if (values['start-page']) await takeForStartPage();
  else await takeAll();
} finally {
  await place.close();
}

async function takeAll() {
  mkdirSync(folder, { recursive: true });
  const all = Object.entries(screens(place));
  for (const route of routesWithout(all.map(([, screen]) => screen.path))) {
    process.stdout.write(`no picture of /${route}: add it to this script\n`);
  }
  const wanted = values.only?.split(',');
  for (const [view, options] of Object.entries(views)) {
    for (const [name, screen] of all) {
      if (wanted && !wanted.some((one) => name.startsWith(one))) continue;
      const file = path.join(folder, `${name}-${view}.png`);
      try {
        await take(screen, options, file);
      } catch (error) {
        process.stdout.write(`${name}, ${view}: ${error.message.split('\n')[0]}\n`);
        process.exitCode = 1;
      }
    }
  }
}

async function opened({ path: where, isPublic }, options) {
  const context = await place.browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', ...options });
  context.setDefaultTimeout(20_000);
  if (!isPublic) await context.addCookies([place.cookie]);
  const page = await context.newPage();
  await page.goto(`${place.url}${where}`);
  await settle(page);
  return page;
}

async function take(screen, options, file) {
  const page = await opened(screen, options);
  try {
    await screen.act?.(page);
    await seeAll(page);
    await settle(page);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (wider > 0) process.stdout.write(`${path.basename(file)}: ${wider} px wider than its screen\n`);
    await page.screenshot({ path: file, fullPage: true });
  } finally {
    await page.context().close();
  }
}

/** Pictures far down are fetched when somebody comes near them. */
async function seeAll(page) {
  await page.evaluate(async () => {
    for (const picture of document.images) picture.loading = 'eager';
    await Promise.all([...document.images].filter((one) => one.checkVisibility()).map((one) => one.decode()));
  });
}

/** The start page's as WebP, which Playwright does not write. */
async function takeForStartPage() {
  const all = screens(place);
  for (const name of ['search', 'dashboard']) {
    const page = await opened(all[name === 'search' ? 'search-hits' : name], { viewport });
    if (name === 'search') await searchAtRest(page);
    await page.screenshot({ path: at(`docs/images/${name}.png`) });
    await page.context().close();
  }
  for (const colorScheme of ['light', 'dark']) {
    const page = await opened(all['search-hits'], { colorScheme, viewport });
    await searchAtRest(page);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 72 });
    const file = at(`src/client/features/landing/pictures/search-${colorScheme}.webp`);
    writeFileSync(file, Buffer.from(data, 'base64'));
    await page.context().close();
  }
}

/** The picture tells a time: not that of the first search after an import. */
async function searchAtRest(page) {
  const took = page.getByRole('button', { name: /^Took [\d.]+ ms/ });
  for (let tries = 0; tries < 40; tries += 1) {
    const label = await took.getAttribute('aria-label');
    if (Number.parseFloat(label.slice('Took '.length)) < 50) return;
    await page.reload();
    await settle(page);
    await took.waitFor();
  }
  process.stdout.write('the machine is too busy for pictures that tell a time\n');
}
