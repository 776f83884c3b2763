import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { databases } from '#server/testing/databases.ts';
import type { ImportSummary } from '#shared/documents.ts';
import type {
  JudgedQuery,
  Judgement,
  ListedJudgement,
  MeasuredRelevance,
  RelevanceMeasures,
} from '#shared/judgements.ts';
import { limits } from '#shared/limits.ts';

const minute = 60_000;

describe.each(databases)('judgements on the %s database', (database) => {
  let goods: CuratedCollection;
  beforeAll(async () => {
    goods = await startCurated(database);
  });
  afterAll(() => goods.kit.close());
  beforeEach(async () => {
    await goods.kit.deps.record.sql`delete from judgements`;
  });

  const send: CuratedCollection['send'] = (...request) => goods.send(...request);
  const judge = (query: string, document: string, grade: number) =>
    must(send<Judgement>('POST', 'judgements', { query, document, grade }));
  const listed = async (search = '') =>
    (await must(send<{ judgements: Judgement[] }>('GET', `judgements${search}`))).judgements;
  const queries = async () =>
    (await must(send<{ queries: JudgedQuery[] }>('GET', 'judgements/queries?per_page=250'))).queries;
  const measure = (given: object = {}) =>
    must(send<MeasuredRelevance>('POST', 'judgements/measures', { mode: 'keyword', ...given }));
  const measures = () => must(send<RelevanceMeasures>('GET', 'judgements/measures'));
  const brief = (list: Judgement[]) => list.map(({ query, document, grade }) => [query, document, grade]);

  test('say by whom, to members and not to keys, for as long as whoever it was is there', async () => {
    const { kit, owner } = goods;
    const asMember = <T>(method: string, body?: unknown) =>
      must(call<T>(kit, { method, path: '/api/collections/goods/judgements', body, as: owner.as }));
    await judge('flat tv', 'tv', 3);
    await asMember('POST', { query: 'box', document: 'radio', grade: 1 });
    const by = (list: ListedJudgement[]) => list.map(({ document, judgedBy }) => [document, judgedBy]);
    const seen = async () => by((await asMember<{ judgements: ListedJudgement[] }>('GET')).judgements);
    const [[, member] = [], [, key] = []] = await seen();
    expect(member).toBe(owner.user.username);
    expect(key).toMatch(/^key ./);
    expect(by((await listed()) as ListedJudgement[])).toEqual([
      ['radio', null],
      ['tv', null],
    ]);
    // Whoever judges last is named.
    await asMember('POST', { query: 'flat tv', document: 'tv', grade: 2 });
    expect(await seen()).toEqual([
      ['radio', member],
      ['tv', member],
    ]);
  });

  test('are put, listed by query and document, and taken back', async () => {
    const made = await send<Judgement>('POST', 'judgements', {
      query: '  Flat  TV ',
      document: 'tv',
      grade: 3,
    });
    expect([made.status, made.body]).toEqual([
      201,
      { query: 'flat tv', document: 'tv', grade: 3, judgedAt: '2026-03-01T12:00:00.000Z' },
    ]);
    await judge('flat tv', 'radio', 0);
    await judge('box', 'not-there-yet', 1);
    expect(brief(await listed())).toEqual([
      ['box', 'not-there-yet', 1],
      ['flat tv', 'radio', 0],
      ['flat tv', 'tv', 3],
    ]);
    // A later grade takes the place of the first.
    await judge('FLAT tv', 'tv', 2);
    expect(brief(await listed('?query=Flat%20Tv'))).toEqual([
      ['flat tv', 'radio', 0],
      ['flat tv', 'tv', 2],
    ]);
    expect(await queries()).toEqual([
      { query: 'box', documents: 1, relevant: 1 },
      { query: 'flat tv', documents: 2, relevant: 1 },
    ]);
    const page = await send<{ judgements: Judgement[] }>('GET', 'judgements?per_page=1&page=3');
    expect([page.headers.get('x-total-count'), brief(page.body.judgements)]).toEqual([
      '3',
      [['flat tv', 'tv', 2]],
    ]);
    const one = 'judgements?query=flat%20tv&document=radio';
    expect(await must(send('DELETE', one))).toEqual({ deleted: 1 });
    expect((await send('DELETE', one)).status).toBe(404);
    await judge('flat tv', 'laptop', 1);
    expect(await must(send('DELETE', 'judgements?query=flat%20tv'))).toEqual({ deleted: 2 });
    expect(brief(await listed())).toEqual([['box', 'not-there-yet', 1]]);
  });

  test.each([
    [{ document: 'tv', grade: 1 }, 'query: is required'],
    [{ query: ' ', document: 'tv', grade: 1 }, 'query: is required'],
    [{ query: 'tv\u0007', document: 'tv', grade: 1 }, 'query: must not contain control characters'],
    [{ query: 'tv', document: 'a\u0000', grade: 1 }, 'document: must not contain U+0000'],
    [{ query: 'tv', document: 'tv', grade: 4 }, 'grade: must be at most 3'],
    [{ query: 'tv', document: 'tv', grade: 0.5 }, expect.stringMatching(/^grade: /)],
    [{ query: 'x'.repeat(201), document: 'tv', grade: 1 }, 'query: must be at most 200 characters'],
  ])('%j is refused', async (judgement, message) => {
    const { status, body } = await send<{ message: string }>('POST', 'judgements', judgement);
    expect([status, body.message]).toEqual([400, message]);
    expect(await listed()).toEqual([]);
  });

  test('of a file: the last of a pair counts, and what is wrong with a row is said in its place', async () => {
    const rows = [
      { query: 'tv', document: 'tv', grade: 1 },
      { query: 'tv', document: 'tv', grade: 9 },
      { query: 'TV', document: 'tv', grade: 2 },
      { query: 'tv', document: 'radio', grade: 0 },
    ];
    const { status, body } = await send<ImportSummary>('POST', 'judgements/import', rows);
    expect([status, body.succeeded, body.failed]).toEqual([207, 3, 1]);
    expect(body.results[1]).toMatchObject({ index: 1, success: false, code: 'BAD_REQUEST' });
    expect(brief(await listed())).toEqual([
      ['tv', 'radio', 0],
      ['tv', 'tv', 2],
    ]);
  });

  test('are bounded: more queries than may be judged are refused, all of them', async () => {
    const rows = Array.from({ length: limits.judgedQueriesMax }, (_, i) => ({
      query: `query ${i}`,
      document: 'tv',
      grade: 1,
    }));
    await must(send('POST', 'judgements/import', rows));
    const one = await send<{ message: string }>('POST', 'judgements', {
      query: 'one more',
      document: 'tv',
      grade: 1,
    });
    expect([one.status, one.body.message]).toEqual([422, 'A collection has at most 500 judged queries']);
    expect(await judge('query 7', 'radio', 1)).toMatchObject({ document: 'radio' });
    const many = Array.from({ length: limits.judgementsMax + 1 }, (_, i) => ({
      query: 'tv',
      document: `d-${i}`,
      grade: 1,
    }));
    expect((await send('POST', 'judgements/import', many)).status).toBe(422);
    const page = await send('GET', 'judgements?per_page=1');
    expect(page.headers.get('x-total-count')).toBe(String(limits.judgedQueriesMax + 1));
  });

  test('measure what is found, before and after a change, which the measure names', async () => {
    expect((await send('POST', 'judgements/measures', {})).status).toBe(422);
    await judge('tv', 'tv', 1);
    await judge('tv', 'television', 1);
    await judge('kitchen', 'radio', 2);
    await judge('gramophone', 'radio', 1);
    await judge('nothing is relevant', 'tv', 0);
    goods.pass(minute);
    const first = await measure({ reason: 'as it was' });
    const ideal = 1 + 1 / Math.log2(3);
    expect(first.results).toEqual([
      { query: 'gramophone', relevant: 1, ndcg: 0, rank: null, before: null, error: null },
      { query: 'tv', relevant: 2, ndcg: 1 / ideal, rank: 1, before: null, error: null },
      { query: 'kitchen', relevant: 1, ndcg: 1, rank: 1, before: null, error: null },
    ]);
    expect(first).toMatchObject({
      mode: 'keyword',
      reason: 'as it was',
      queries: 3,
      hitRate: 2 / 3,
      mrr: 2 / 3,
      ndcg: (0 + 1 / ideal + 1) / 3,
    });

    goods.pass(minute);
    const synonyms = (id: string, words: string[]) => must(send('POST', 'synonyms', { id, synonyms: words }));
    await synonyms('a', ['tv', 'television']);
    await synonyms('b', ['gramophone', 'radio']);
    await must(
      send('POST', 'overrides', { rule: { query: 'kitchen', match: 'exact' }, excludes: [{ id: 'radio' }] }),
    );
    expect((await measures()).changes).toEqual([
      { action: 'synonyms.upsert', times: 2 },
      { action: 'overrides.upsert', times: 1 },
    ]);
    const second = await measure();
    expect(second.results).toEqual([
      { query: 'kitchen', relevant: 1, ndcg: 0, rank: null, before: 1, error: null },
      { query: 'gramophone', relevant: 1, ndcg: 1, rank: 1, before: 0, error: null },
      { query: 'tv', relevant: 2, ndcg: 1, rank: 1, before: 1 / ideal, error: null },
    ]);
    expect(second.changes).toEqual([
      { action: 'synonyms.upsert', times: 2 },
      { action: 'overrides.upsert', times: 1 },
    ]);
    const told = await measures();
    expect(told.measures.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect([told.results, told.changes]).toEqual([second.results, []]);
  });

  test('keep the queries of the newest measure of each mode, and compare with the one of the same mode before', async () => {
    await judge('tv', 'tv', 1);
    const words = await measure();
    const both = await measure({ mode: 'hybrid' });
    const of = (mode: string) =>
      must(send<RelevanceMeasures>('GET', `judgements/measures?mode=${mode}&per_page=1`));
    expect((await measures()).results).toEqual(both.results);
    expect((await of('hybrid')).results).toEqual(both.results);
    expect(await of('keyword')).toMatchObject({ measures: [{ id: both.id }], results: words.results });
    expect(await of('vector')).toMatchObject({ measures: [{ id: both.id }], results: [], changes: [] });
    const again = await measure();
    expect(again.results.map(({ before }) => before)).toEqual(words.results.map(({ ndcg }) => ndcg));
  });

  test('of a query that cannot be searched say why, and it finds nothing', async () => {
    await judge('tv', 'tv', 1);
    await judge('laptop', 'laptop', 1);
    await must(send('POST', 'documents', { id: 'heavy', weight: 3 }));
    const rule = { query: 'tv', match: 'exact' };
    await must(send('POST', 'overrides', { id: 'heavy', rule, filter_by: 'weight:>1' }));
    await must(send('DELETE', 'documents/heavy'));
    const { results, hitRate } = await measure();
    expect(results[0]).toMatchObject({ query: 'tv', ndcg: 0, error: expect.stringContaining('weight') });
    expect(hitRate).toBe(0.5);
    await must(send('DELETE', 'overrides/heavy'));
  });

  test('keep the last measures, and count none of their searches for analytics', async () => {
    await judge('laptop', 'laptop', 1);
    for (let i = 0; i <= limits.measuresKeptMax; i += 1) await measure({ reason: `measure ${i}` });
    const { measures: kept } = await measures();
    expect(kept).toHaveLength(limits.measuresKeptMax);
    expect(kept[0]?.reason).toBe(`measure ${limits.measuresKeptMax}`);
    expect(
      (await must(send<RelevanceMeasures>('GET', 'judgements/measures?per_page=2'))).measures,
    ).toHaveLength(2);
    await goods.kit.deps.searchLog.flush();
    const { searches } = await must(send<{ searches: number }>('GET', 'analytics'));
    expect(searches).toBe(0);
  });
});
