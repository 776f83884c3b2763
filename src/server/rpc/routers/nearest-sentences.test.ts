import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { databases } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { NearestSentence } from '#shared/nearest-sentences.ts';
import type { SearchAnswer } from '#shared/search.ts';

const query = 'robot falls in love';
const plants = ['Tomatoes', 'Beans', 'Onions', 'Carrots', 'Leeks', 'Pumpkins'];
const places = [
  'along the southern wall',
  'under the old pear tree',
  'beside the compost heap',
  'by the pond',
];
/** No two are the same. */
const garden = Array.from(
  { length: 96 },
  (_, i) => `${plants[i % 6]} of row ${i} want water and a deep soil ${places[i % 4]} of the kitchen garden.`,
);
const answer = 'Two androids become fond of each other and wish to marry.';
/** None holds a word of the query. */
const late = [
  'The machine of this tale feels tenderness for another automaton.',
  answer,
  'Their mechanical hearts ache with romance.',
];
/** As it was searched for, but early: of all sentences it is the nearest. */
const nearer = 'A robot falls in love.';
const story = [nearer, ...garden.slice(0, 80), ...late, ...garden.slice(80)].join(' ');
const passage = { field: 'chapters.text', start: story.indexOf(late[0] ?? ''), end: story.length };
const twice = ['Nobody came.', answer, ...garden.slice(0, 3), answer, 'It rained.'].join(' ');

describe.each(databases)('nearest sentences on the %s database', (database) => {
  let kit: Kit;
  let ask: (input: object) => ReturnType<typeof call<{ result?: { data: NearestSentence[] } }>>;
  let search: (id: string) => Promise<SearchAnswer>;
  beforeAll(async () => {
    kit = await startKit({ database });
    const { owner } = await createTenant(kit, { name: 'films', dimension: 384 });
    const path = '/api/collections/films/documents/import';
    const documents = [
      {
        id: 'wall-e',
        title: 'A film about robots who love',
        plot: 'The earth is full of garbage by now. A small robot falls in love with another robot. Both fly into space.',
      },
      { id: 'short', title: 'Robot love', year: 1986 },
      {
        id: 'long',
        title: 'A garden',
        text: [...garden.slice(0, 80), ...late, ...garden.slice(80)].join(' '),
      },
      { id: 'story', title: 'A story', chapters: [{ no: 1 }, { text: story }] },
      {
        id: 'fields',
        title: 'A garden',
        description: garden.slice(0, 11).join(' '),
        review: [answer, late[2], late[0]].join(' '),
        more: garden.slice(20, 50).join(' '),
      },
      {
        id: 'lists',
        title: 'A garden',
        years: { 2024: [{ text: garden.slice(0, 11).join(' ') }] },
        notes: ['Robot love', [answer, late[2]].join(' ')],
        more: garden.slice(20, 50).join(' '),
      },
      { id: 'twice', title: 'A refrain', text: twice },
    ];
    await must(call(kit, { method: 'POST', path, body: documents, as: owner.as }));
    ask = (input) =>
      call(kit, {
        method: 'GET',
        path: `/trpc/search.sentences?input=${encodeURIComponent(JSON.stringify({ collection: 'films', query, ...input }))}`,
        as: owner.as,
      });
    search = (id) =>
      must(
        call(kit, {
          method: 'POST',
          path: '/api/collections/films/vector-search',
          body: { query, filter_by: `id:${id}` },
          as: owner.as,
        }),
      );
  });
  afterAll(() => kit.close());

  const sentenceOf = async (hit: object) => {
    const { body } = await ask({ hits: [hit] });
    return body.result?.data[0];
  };

  test('are the ones that say what was searched for, of documents that have sentences', async () => {
    const { body } = await ask({ hits: [{ id: 'short' }, { id: 'wall-e' }, { id: 'nobody' }] });
    expect(body.result?.data).toEqual([
      {
        id: 'wall-e',
        field: 'plot',
        start: 37,
        end: 84,
        text: 'A small robot falls in love with another robot.',
        similarity: expect.any(Number),
      },
    ]);
    expect(body.result?.data[0]?.similarity).toBeGreaterThan(0.3);
  });

  test('are of the passage that a search has found, behind sixty sentences and more', async () => {
    const { hits } = await search('long');
    const [hit] = hits;
    const text = String(hit?.document['text']);
    expect(hit?.passage?.start).toBeGreaterThan(text.indexOf(garden[60] ?? ''));
    const found = await sentenceOf({ id: 'long', passage: hit?.passage });
    expect(late).toContain(found?.text);
    expect(found).toMatchObject({ field: 'text', start: text.indexOf(found?.text ?? '') });
    expect(text.slice(found?.start, found?.end)).toBe(found?.text);
  });

  test.each([
    ['fields', 'description', ['review']],
    ['lists', 'years.2024.text', ['notes.1']],
  ])('are of all fields that the passage lies in: %s', async (id, field, fields) => {
    const { hits } = await search(id);
    const [hit] = hits;
    // Most of it is about something else.
    expect(hit?.passage).toEqual({ field, start: 0, end: garden.slice(0, 11).join(' ').length });
    const found = await sentenceOf({ id, passage: hit?.passage });
    expect(late).toContain(found?.text);
    expect(fields).toContain(found?.field);
  });

  test('are of the told field where the passage is cut elsewhere by now', async () => {
    const passage = { field: 'description', start: 0, end: 300 };
    const found = await sentenceOf({ id: 'fields', passage });
    expect(found?.field).toBe('description');
    expect(found?.end).toBeLessThan(400);
  });

  test('are of no other passage, whatever is said there, also in a list', async () => {
    expect(await sentenceOf({ id: 'story' })).toMatchObject({ text: nearer });
    const found = await sentenceOf({ id: 'story', passage });
    expect(found?.field).toBe('chapters.1.text');
    expect(late).toContain(found?.text);
    expect(story.slice(found?.start, found?.end)).toBe(found?.text);
    expect(found?.start).toBeGreaterThanOrEqual(passage.start);
  });

  test('stand where the passage has them, of a sentence that occurs twice', async () => {
    const first = twice.indexOf(answer);
    const second = twice.lastIndexOf(answer);
    expect(await sentenceOf({ id: 'twice' })).toMatchObject({ text: answer, start: first });
    const ofSecond = { field: 'text', start: first + answer.length + 1, end: twice.length };
    expect(await sentenceOf({ id: 'twice', passage: ofSecond })).toMatchObject({
      text: answer,
      start: second,
      end: second + answer.length,
    });
  });

  test.each([
    ['a field that is gone', { ...passage, field: 'chapters.body' }],
    ['a text that is shorter by now', { ...passage, end: story.length + 1 }],
    ['nothing', { ...passage, end: passage.start }],
    ['no text that was ever embedded', { ...passage, end: 4_000_000 }],
  ])('are of the whole document where the passage is of %s', async (_, stale) => {
    expect(await sentenceOf({ id: 'story', passage: stale })).toMatchObject({ text: nearer, start: 0 });
  });

  test('are asked of a page of documents at most, of passages as hits have them', async () => {
    const hits = Array.from({ length: 21 }, (_, i) => ({ id: String(i) }));
    const malformed = { ...passage, start: -1 };
    expect((await ask({ hits: hits.slice(1) })).status).toBe(200);
    for (const refused of [hits, [], [{ id: 'story', passage: malformed }], [{ id: 'story', more: 1 }]])
      expect((await ask({ hits: refused })).status).toBe(400);
  });
});
