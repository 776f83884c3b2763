import { and, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { requests } from '#server/db/schema/requests.ts';
import { notFound } from '#server/errors.ts';
import { countRequests } from '#server/monitoring/read-monitoring.ts';
import { collectionRef } from '#shared/collections.ts';
import { levelOf, type RequestLevel } from '#shared/request-kinds.ts';
import {
  type Request,
  type RequestDetail,
  type RequestList,
  type RequestOverview,
  requestList,
  requestOverviewOf,
  requestRef,
  type WriteTimes,
} from '#shared/requests.ts';
import { type CollectionRow, getCollection, getWorkspace } from '../scope.ts';
import { memberProcedure, router } from '../trpc.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const singleWrites = ['documents.write', 'documents.replace', 'documents.merge', 'documents.delete'];
/** Of keys and collections that a list can be narrowed to. */
const choicesMax = 200;

const { input, answer, replay, ...listed } = {
  place: requests.place,
  requestId: requests.requestId,
  createdAt: requests.createdAt,
  operation: requests.operation,
  type: requests.type,
  way: requests.way,
  keyId: requests.keyId,
  keyName: requests.keyName,
  collectionId: requests.collectionId,
  collectionName: requests.collectionName,
  status: requests.status,
  tookMs: requests.tookMs,
  found: requests.found,
  words: requests.words,
  errorCode: requests.errorCode,
  errorMessage: requests.errorMessage,
  leftOut: requests.leftOut,
  input: requests.input,
  answer: requests.answer,
  replay: requests.replay,
};

type Listed = Omit<typeof requests.$inferSelect, 'workspaceId' | 'input' | 'answer' | 'replay'>;

export const requestsRouter = router({
  /** A part of the last requests, newest first. What waits to be written is written before. */
  recent: memberProcedure('viewer')
    .input(requestList)
    .query(async ({ ctx, input }): Promise<{ requests: Request[]; isBehind: boolean }> => {
      const { id } = await getWorkspace(ctx, input.workspaceId);
      const isBehind = !(await ctx.deps.requestLog.settle());
      const rows = await ctx.db
        .select(listed)
        .from(requests)
        .where(and(eq(requests.workspaceId, id), chosenBy(input)))
        .orderBy(desc(requests.place))
        .limit(input.per_page);
      return { requests: rows.map(toRequest), isBehind };
    }),

  get: memberProcedure('viewer')
    .input(requestRef)
    .query(async ({ ctx, input: ref }): Promise<RequestDetail> => {
      const { id } = await getWorkspace(ctx, ref.workspaceId);
      const [row] = await ctx.db
        .select({ ...listed, input, answer, replay })
        .from(requests)
        .where(and(eq(requests.workspaceId, id), eq(requests.place, ref.id)));
      if (!row) throw notFound('Request');
      return {
        ...toRequest(row),
        replay: row.replay,
        input: row.input === null ? null : JSON.parse(row.input),
        answer: row.answer === null ? null : JSON.parse(row.answer),
      };
    }),

  /** Sums of the last hour, and what the list can be narrowed to. */
  overview: memberProcedure('viewer')
    .input(requestOverviewOf)
    .query(async ({ ctx, input: { workspaceId } }): Promise<RequestOverview> => {
      const { id } = await getWorkspace(ctx, workspaceId);
      const { monitoring, clock } = ctx.deps;
      const now = clock();
      // Counted as Monitoring does, so that both say the same, also of more than are kept here.
      const hour = { workspaceId: id, range: '1h', now } as const;
      const apiRequests = await countRequests(monitoring.requests, ctx.db, hour);
      const { consoleRequests, ...sums } = await readSums(ctx.db, id, new Date(now.getTime() - hourMs));
      const lastHour = { ...sums, apiRequests, requests: apiRequests + consoleRequests };
      return { lastHour, ...(await readChoices(ctx.db, id)) };
    }),

  /** Of single documents: an import takes as long as its sender. */
  writeTimes: memberProcedure('viewer')
    .input(collectionRef)
    .query(async ({ ctx, input }): Promise<WriteTimes> => {
      const collection = await getCollection(ctx, input.collection);
      return readWriteTimes(ctx.db, collection, new Date(ctx.deps.clock().getTime() - dayMs));
    }),
});

const levels: Record<RequestLevel, SQL> = {
  success: sql`${requests.status} < 400 and ${requests.status} <> 207`,
  warning: sql`(${requests.status} between 400 and 499 or ${requests.status} = 207)`,
  error: sql`${requests.status} >= 500`,
};

function chosenBy(asked: RequestList): SQL | undefined {
  const { type, level, way, keyId, collectionId, operation, nothingFound, q, before } = asked;
  return and(
    type && eq(requests.type, type),
    level && levels[level],
    way && eq(requests.way, way),
    keyId === undefined ? undefined : eq(requests.keyId, keyId),
    collectionId === undefined ? undefined : eq(requests.collectionId, collectionId),
    operation ? eq(requests.operation, operation) : undefined,
    nothingFound ? eq(requests.found, 0) : undefined,
    q ? sql`(${requests.words} ilike ${`%${escaped(q)}%`} or ${requests.requestId} = ${q})` : undefined,
    before === undefined ? undefined : lt(requests.place, before),
  );
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\u0000', '')
    .replace(/[\\%_]/g, '\\$&');
}

function toRequest({ createdAt, keyId, keyName, collectionId, collectionName, ...row }: Listed): Request {
  const { place, errorCode, errorMessage, ...same } = row;
  return {
    ...same,
    id: place,
    at: createdAt.toISOString(),
    level: levelOf(row.status),
    key: keyId === null ? null : { id: keyId, name: keyName ?? 'Deleted key' },
    collection: collectionId === null ? null : { id: collectionId, name: collectionName ?? '' },
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
  };
}

type Sums = Omit<RequestOverview['lastHour'], 'requests' | 'apiRequests'> & { consoleRequests: number };

async function readSums(db: ReadDatabase, workspaceId: number, since: Date): Promise<Sums> {
  const isSearch = sql`${requests.type} = 'search' and ${requests.status} < 400`;
  const percentile = (share: number) =>
    sql`percentile_cont(${share}::float8) within group (order by ${requests.tookMs}) filter (where ${isSearch})`.mapWith(
      (value: number) => value,
    );
  const [sums] = await db
    .select({
      consoleRequests: sql`count(*) filter (where ${requests.way} = 'console')`.mapWith(Number),
      searches: sql`count(*) filter (where ${requests.type} = 'search')`.mapWith(Number),
      nothingFound: sql`count(*) filter (where ${requests.found} = 0)`.mapWith(Number),
      warnings: sql`count(*) filter (where ${levels.warning})`.mapWith(Number),
      errors: sql`count(*) filter (where ${levels.error})`.mapWith(Number),
      p50Ms: percentile(0.5),
      p95Ms: percentile(0.95),
    })
    .from(requests)
    .where(and(eq(requests.workspaceId, workspaceId), gte(requests.place, since.getTime() * 1_000)));
  if (!sums) throw new Error('a statement of one row answered none');
  return sums;
}

async function readWriteTimes(
  db: ReadDatabase,
  { id, workspaceId }: Pick<CollectionRow, 'id' | 'workspaceId'>,
  since: Date,
): Promise<WriteTimes> {
  const [times] = await db
    .select({
      writes: sql`count(*)`.mapWith(Number),
      p99Ms: sql`percentile_disc(0.99) within group (order by ${requests.tookMs})`.mapWith(
        (value: number) => value,
      ),
    })
    .from(requests)
    .where(
      and(
        eq(requests.workspaceId, workspaceId),
        gte(requests.place, since.getTime() * 1_000),
        eq(requests.collectionId, id),
        inArray(requests.operation, singleWrites),
        lt(requests.status, 300),
      ),
    );
  if (!times) throw new Error('a statement of one row answered none');
  return times;
}

async function readChoices(
  db: ReadDatabase,
  workspaceId: number,
): Promise<Pick<RequestOverview, 'keys' | 'collections'>> {
  const own = eq(requests.workspaceId, workspaceId);
  const [keys, collections] = await Promise.all([
    db
      .select({ id: requests.keyId, name: sql<string | null>`max(${requests.keyName})` })
      .from(requests)
      .where(and(own, sql`${requests.keyId} is not null`))
      .groupBy(requests.keyId)
      .limit(choicesMax),
    db
      .select({ id: requests.collectionId, name: sql<string | null>`max(${requests.collectionName})` })
      .from(requests)
      .where(and(own, sql`${requests.collectionId} is not null`))
      .groupBy(requests.collectionId)
      .limit(choicesMax),
  ]);
  return { keys: keys.map(toNamed), collections: collections.map(toNamed) };
}

function toNamed({ id, name }: { id: number | null; name: string | null }) {
  return { id: Number(id), name: name ?? `#${id}` };
}
