import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { limits } from '#shared/limits.ts';
import { rankingConstants } from '#shared/ranking.ts';
import type { SearchAnswer } from '#shared/search.ts';

/** What `docs/search.md` shows of rules can be sent as it stands there. */

let kit: Kit;
let text: string;
beforeAll(async () => {
  kit = await startKit();
  text = await readFile('docs/search.md', 'utf8');
});
afterAll(() => kit.close());

test('every line works, one after the other, on a collection that has such fields', async () => {
  const { key } = await createTenant(kit, { name: 'films', dimension: 384 });
  const send = <T>(method: string, path: string, body?: unknown) =>
    call<T>(kit, { method, path: `/api/collections/films/${path}`, body, as: { key: key.key } });
  await must(send('POST', 'documents', { id: '1', title: 'Robot', extract: 'A robot in love.', year: 1950 }));
  const { query_id } = await must(send<SearchAnswer>('GET', 'search?q=robot'));
  const lines = [...text.matchAll(/^vectora '?([^\s']+)'?(?: -X (\w+))?(?: -d '(.*)')?$/gm)];
  expect(lines.length).toBe(text.split('\nvectora ').length - 1);
  expect(lines.length).toBeGreaterThan(10);
  for (const [line, path = '', method, shown] of lines) {
    // The id of a search is what the reader's own search has answered.
    const body = shown?.replace('"query_id":"…"', `"query_id":"${query_id}"`);
    const { status } = await send(method ?? (body === undefined ? 'GET' : 'POST'), path, body);
    expect([200, 201], line).toContain(status);
  }
});

test('the table of ranking constants is theirs', () => {
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| (.*) \|$/gm)];
  const told = rows.map(([, name, ...rest]) => [name, ...rest.slice(0, 3).map(Number), rest[3]]);
  const own = Object.entries(rankingConstants).map(([name, constant]) => {
    const { default: usual, min, max, meaning } = constant;
    return [name, usual, min, max, meaning];
  });
  expect(told).toEqual(own);
});

test('the numbers that it names are the limits', () => {
  const { synonymsMax, synonymMembersMax, overridesMax, overridePinsMax, presetsMax, rulesBytesMax } = limits;
  const { synonymAlternativesMax, suggestionsMax, clickPositionsMax, historyDaysMax } = limits;
  const { countedQueryCharactersMax, countedQueriesMax, searchEventsPerDayMax } = limits;
  const said = [
    `${synonymsMax.toLocaleString('en')} synonyms of ${synonymMembersMax} words`,
    `${overridesMax.toLocaleString('en')} overrides with ${overridePinsMax} pins`,
    `${presetsMax} presets, ${rulesBytesMax / 1024} KB`,
    `at most ${synonymAlternativesMax} alternatives`,
    `first ${countedQueryCharactersMax} characters`,
    `the ${countedQueriesMax.toLocaleString('en')} most frequent ones`,
    `${searchEventsPerDayMax.toLocaleString('en')} clicks and conversions`,
    `those from ${clickPositionsMax + 1} on`,
    `at most ${suggestionsMax}, 8`,
    `kept for ${historyDaysMax} days`,
  ];
  for (const part of said) expect(text).toContain(part);
});
