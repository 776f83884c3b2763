import { searchEvents, searchQueries } from '#server/db/schema/search-log.ts';
import type { Deps } from '#server/deps.ts';
import { keyOfText } from '#server/search-log/counted-query.ts';
import { dayOf } from '#server/search-log/search-log.ts';
import type { newTenant } from '../procedure-caller.ts';
import { standingQuery, standingRule, type Target } from './operations.ts';

type Tenant = Awaited<ReturnType<typeof newTenant>>;

/** A collection with two documents and one of each rule. */
export async function makeFilms(
  owner: Tenant,
  projectId: number,
): Promise<Pick<Target, 'collection' | 'collectionId' | 'alias' | 'importId'>> {
  const { call } = owner;
  const films = await call.collections.create({
    name: 'Films',
    projectId,
    dimension: 384,
    metadata: { fields: [{ name: 'at', type: 'geopoint' }] },
  });
  const collection = String(films.id);
  const alias = `live-${films.id}`;
  const importId = await importFilms(owner, collection);
  await call.synonyms.upsert({ collection, id: standingRule, synonyms: ['film', 'movie'] });
  await call.overrides.upsert({ collection, id: standingRule, rule: { query: 'best film', match: 'exact' } });
  await call.judgements.put({ collection, query: standingQuery, document: '1', grade: 1 });
  await call.presets.put({ collection, preset: standingRule, parameters: {} });
  await call.aliases.put({ name: alias, collection });
  return { collection, collectionId: films.id, alias, importId };
}

/** On thirty queries that find both documents, of which one is relevant. */
export async function calibrate({ call }: Tenant, collection: string): Promise<void> {
  async function* rows() {
    for (let index = 0; index < 60; index += 1) {
      const judged = {
        query: `metropolis ${'x'.repeat(1 + (index >> 1))}`,
        document: String(1 + (index & 1)),
      };
      yield { index, text: JSON.stringify({ ...judged, grade: index & 1 }) };
    }
  }
  for await (const result of await call.judgements.import({ collection, rows }))
    if (!result.success) throw new Error('A row was not judged');
  await call.calibrations.fit({ collection, mode: 'keyword' });
}

/** In three searches for one query. */
export async function clickFilm({ record, clock }: Deps, collectionId: number): Promise<void> {
  const day = dayOf(clock());
  const query = 'old films';
  const queryKey = keyOfText(query);
  const documentId = '1';
  const searches = [1, 2, 3].map((search) => ({
    collectionId,
    day,
    search,
    type: 'click' as const,
    document: keyOfText(documentId),
    documentId,
    queryKey,
  }));
  await record.write(async (tx) => {
    await tx.insert(searchQueries).values({ collectionId, day, mode: 'keyword', key: queryKey, query });
    await tx.insert(searchEvents).values(searches);
  });
}

/** Two documents by an import. Answers which import it is. */
async function importFilms({ call }: Tenant, collection: string): Promise<number> {
  async function* rows() {
    for (const index of [0, 1]) {
      const id = String(index + 1);
      yield {
        index,
        text: JSON.stringify({ id, title: `Metropolis ${id}`, year: 1927, at: [50 + index, 14] }),
      };
    }
  }
  for await (const result of await call.documents.import({ collection, rows })) {
    if (!result.success) throw new Error(`a film is not in: ${JSON.stringify(result)}`);
  }
  const [latest] = await call.imports.list({ collection });
  if (!latest) throw new Error('there is no import');
  return latest.id;
}
