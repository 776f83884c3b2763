import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { DemoHit } from '#shared/demo.ts';

afterEach(() => vi.useRealTimers());

function hit(id: string, name: string): DemoHit {
  return {
    id,
    name,
    description: 'Made of wool',
    category: 'Clothing',
    brand: 'Fjord',
    price: 89,
    rating: 4.5,
    score: 0.8,
    parts: { words: 0.2, meaning: 0.6 },
    highlights: [],
  };
}

function open(address = '/') {
  const asked = serveConsole(null, {
    'demo.products': () => ({
      hits: [hit('1', 'Wool sweater'), hit('2', 'Down coat')],
      search_time_ms: 1.2,
    }),
  });
  return { ...renderConsole(address), ...asked };
}

/** A part of the page, by its heading; all but the first are fetched after it. */
const part = async (name: string) => within(await screen.findByRole('region', { name }));
const targets = (links: HTMLElement[]) => links.map((link) => link.getAttribute('href'));
const words = (found: HTMLElement[]) => found.map(({ textContent }) => textContent);

it('leads by its menu to its parts, to the login and to an account', async () => {
  open('/landing');
  const menu = within(await screen.findByRole('navigation', { name: 'Main' }));
  expect(targets(menu.getAllByRole('link'))).toEqual([
    '#features',
    '#use-cases',
    '#pricing',
    '#docs',
    '/login',
    '/register',
  ]);
  expect(words(menu.getAllByRole('link')).slice(-2)).toEqual(['Sign In', 'Get Started']);
  await part('Pricing');
  for (const id of ['features', 'use-cases', 'pricing', 'docs'])
    expect(document.getElementById(id)).not.toBeNull();
});

it('has a menu that opens and closes on a narrow screen', async () => {
  open();
  const toggle = await screen.findByRole('button', { name: 'Open menu' });
  const menu = document.getElementById(toggle.getAttribute('aria-controls') ?? '');
  expect(menu?.dataset['open']).toBeUndefined();
  await userEvent.click(toggle);
  expect(screen.getByRole('button', { name: 'Close menu' }).getAttribute('aria-expanded')).toBe('true');
  expect(menu?.dataset['open']).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Close menu' }));
  expect(menu?.dataset['open']).toBeUndefined();
});

it('begins with a trial, a demo and a search box, and ends with both calls to action', async () => {
  open();
  await screen.findByRole('heading', { level: 1, name: 'Search that understands what people mean' });
  expect(screen.getByRole('button', { name: 'Watch Demo' })).toBeDefined();
  expect(screen.getByPlaceholderText('Search for products')).toBeDefined();
  const end = await part('Your first search is a few minutes away');
  expect(targets([end.getByRole('link', { name: 'Start Free Trial' })])).toEqual(['/register']);
  expect(end.getByRole('button', { name: 'Schedule Demo' })).toBeDefined();
  expect(targets(screen.getAllByRole('link', { name: 'Start Free Trial' }))[0]).toBe('/register');
  expect(screen.getByRole('contentinfo')).toBeDefined();
});

it('searches the shop for three letters, not for two, and shows the two best products', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  const { calls } = open();
  const asked = () => calls.filter(({ path }) => path === 'demo.products').map(({ input }) => input);
  const box = await screen.findByRole('searchbox', { name: 'Search for products' });
  fireEvent.change(box, { target: { value: 'wa' } });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked()).toEqual([]);
  fireEvent.change(box, { target: { value: 'war' } });
  expect(await screen.findByText(/^The 2 best hits, found in 1\.2 ms/)).toBeDefined();
  expect(asked()).toEqual([{ query: 'war' }]);
  for (const name of ['Wool sweater', 'Down coat'])
    expect(screen.getByRole('heading', { level: 2, name })).toBeDefined();
});

it('tells six features and four uses', async () => {
  open();
  const features = await part('Everything between a sentence and its answer');
  expect(words(features.getAllByRole('heading', { level: 3 }))).toEqual([
    'Understands intent',
    'Instant results',
    'Accessible',
    'Natural-language queries',
    'Zero-query suggestions',
    'User insights',
  ]);
  expect(features.getByText(/under 100 milliseconds/)).toBeDefined();
  expect(features.getByText(/WCAG 2\.1 AA/)).toBeDefined();
  const uses = await part('Where it is used');
  expect(words(uses.getAllByRole('heading', { level: 3 }))).toEqual([
    'E-commerce',
    'Knowledge base',
    'Enterprise search',
    'Mobile apps',
  ]);
});

it('shows a search in code: a key and a server, five hits, from the third letter on', async () => {
  open();
  const { code } = { code: (await part('Search as people type')).getByRole('code').textContent ?? '' };
  expect(code).toContain("{ apiKey: 'YOUR_API_KEY', serverUrl: 'http://localhost:3000' }");
  expect(code).toContain('if (query.length > 2)');
  expect(code).toContain("search({ collection: 'products', query, queryBy: 'name,description', limit: 5 })");
});

it('has three plans with what they cost and hold', async () => {
  open();
  const pricing = await part('Pricing');
  const [starter, professional, enterprise] = ['Starter', 'Professional', 'Enterprise'].map((name) => {
    const card = pricing.getByRole('heading', { level: 3, name }).closest('li');
    if (!card) throw new Error(`${name} is no item of the list`);
    return within(card);
  });
  for (const text of [
    '$49/month',
    '100,000 search operations per month',
    'Up to 100,000 documents',
    'Basic analytics',
    'Email support',
  ])
    expect(starter?.getAllByText((_, element) => element?.textContent === text).length).toBeGreaterThan(0);
  for (const text of [
    'Most Popular',
    '$149/month',
    '1,000,000 search operations per month',
    'Up to 1,000,000 documents',
    'Advanced analytics',
    'Priority email support',
    'Custom synonyms',
  ])
    expect(professional?.getAllByText((_, element) => element?.textContent === text).length).toBeGreaterThan(
      0,
    );
  for (const text of [
    'Custom',
    'Unlimited operations and documents',
    'Enterprise analytics',
    'Dedicated support',
    'Custom deployment options',
    'Service level agreement',
  ])
    expect(enterprise?.getAllByText((_, element) => element?.textContent === text).length).toBeGreaterThan(0);
  expect(enterprise?.getByRole('button', { name: 'Contact Sales' })).toBeDefined();
  await waitFor(() => expect(targets(pricing.getAllByRole('link'))).toEqual(['/register', '/register']));
});

it('has measured figures in place of testimonials', async () => {
  open();
  const figures = await part('Measured, not promised');
  expect(figures.getAllByText(/^node scripts\/measure-/).length).toBe(3);
});
