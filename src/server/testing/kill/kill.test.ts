import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asc, eq } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { openRecord } from '#server/db/open-record.ts';
import { collections, documents } from '#server/db/schema/collections.ts';
import { createLog } from '#server/log.ts';
import { RandomNumbers } from '#server/random-numbers.ts';
import { type FreshDatabase, freshDatabase, oldest } from '../databases.ts';
import { type Doc, Ledger } from './ledger.ts';
import { notedPostmaster } from './postmasters.ts';
import { createRestClient, NoAnswer, type RestClient, setUpAccount } from './rest-client.ts';
import { type ServerProcess, spawnServer, startServer } from './server-process.ts';
import { finishImport, type KeyedImport, type Writer, words, writeUntilKilled } from './writer.ts';

/**
 * Killed at random moments in the middle of writes and started again, the server has everything it answered, nothing twice and nothing
 * else but what it was just asked; and its index is the one that is built from the record anew. KILL_SEED repeats a run's choices,
 * KILL_TIMES makes it longer: `npm run test:long` does.
 */
const given = process.env['KILL_TIMES'];
const kills = Number(given ?? 2);
const databaseKills = Math.ceil(kills / 2);
const verifyEvery = 3;
const names = ['films', 'books'];
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1e9);

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** With an embedded database of its own, as `npm start` has it, and on a server: the oldest there is, which no kill of ours harms. */
const kinds = [
  ['embedded', kills],
  // Of a run that is short, what is stored by whom makes no difference: each kind's SQL is run by isolation.test.ts.
  ...(given ? [[oldest, kills] as const] : []),
] as const;

describe.each(kinds)('killed with SIGKILL, %s', (kind, times) => {
  test(`${times} times at random moments (KILL_SEED=${seed})`, { timeout: 600_000 }, async () => {
    const random = new RandomNumbers(seed);
    const database = await freshDatabase(kind);
    cleanups.push(database.cleanup);
    const run = await KillRun.begin(database);
    cleanups.push(() => run.server.kill());
    for (let kill = 1; kill <= times; kill += 1) {
      await run.writeAndKill(random);
      if (random.next() < 0.2) await run.killWhileStarting(random);
      await run.restart();
      await run.verifyDocuments(random);
      if (kill % verifyEvery === 0 || kill === times) await run.verifyIndex();
    }
    expect(run.answeredWrites).toBeGreaterThanOrEqual(times);
    expect(await run.server.stop()).toBe(0);
    await run.verifyRecord();
  });
});

/** The server lives on: writers are refused with 503 for a while and go on. */
describe('Postgres killed under the server', () => {
  test(`${databaseKills} times at random moments (KILL_SEED=${seed})`, { timeout: 600_000 }, async () => {
    const random = new RandomNumbers(seed);
    const database = await freshDatabase('embedded');
    cleanups.push(database.cleanup);
    const run = await KillRun.begin(database);
    cleanups.push(() => run.server.kill());
    for (let kill = 1; kill <= databaseKills; kill += 1) {
      await run.writeAndKillDatabase(random);
      await run.whenReady();
      await run.verifyDocuments(random);
    }
    expect(run.answeredWrites).toBeGreaterThanOrEqual(databaseKills);
    await run.verifyIndex();
    expect(await run.server.stop()).toBe(0);
    await run.verifyRecord();
  });
});

/** The database may be asked again, and each connection that was lost with it is known when it is used next. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  const answers: T[] = [];
  const outcome = () =>
    ask().then(
      (answer) => {
        answers.push(answer);
        return 'answered';
      },
      (error: unknown) => {
        if (error instanceof NoAnswer) return error.message;
        throw error;
      },
    );
  await expect.poll(outcome).toBe('answered');
  return answers[0] as T;
}

class KillRun {
  server: ServerProcess;
  answeredWrites = 0;
  readonly #database: FreshDatabase;
  readonly #env: Record<string, string>;
  readonly #key: string;
  readonly #ledgers = new Map(names.map((name) => [name, new Ledger()]));
  readonly #unfinished = new Map(names.map((name): [string, KeyedImport[]] => [name, []]));

  private constructor(parts: {
    database: FreshDatabase;
    env: Record<string, string>;
    server: ServerProcess;
    key: string;
  }) {
    this.#database = parts.database;
    this.#env = parts.env;
    this.server = parts.server;
    this.#key = parts.key;
  }

  static async begin(database: FreshDatabase): Promise<KillRun> {
    const { dataDir, databaseUrl } = database.settings;
    const env = {
      DATA_DIR: dataDir,
      STORAGE_RESERVE_MB: '0',
      ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    };
    const server = await startServer(env);
    return new KillRun({ database, env, server, key: await setUpAccount(server.url, names) });
  }

  #rest(): RestClient {
    return createRestClient(this.server.url, this.#key);
  }

  async writeAndKill(random: RandomNumbers): Promise<void> {
    const { ended, answered } = this.#write(random);
    await Promise.race([answered, ended]);
    await pause(random.between(0, 600));
    await this.server.kill();
    await ended;
  }

  async writeAndKillDatabase(random: RandomNumbers): Promise<void> {
    const { ended, answered, end } = this.#write(random);
    await Promise.race([answered, ended]);
    await pause(random.between(0, 600));
    const { dataDir } = this.#database.settings;
    const killed = await notedPostmaster(dataDir);
    process.kill(killed, 'SIGKILL');
    end();
    await ended;
    // The next one begins when the last child of this one has ended, with whatever that was still writing.
    await expect.poll(() => notedPostmaster(dataDir).catch(() => killed)).not.toBe(killed);
  }

  /** Until the server is gone, or each has ended what it was at when `end` is called; `answered` when a first write was. */
  #write(random: RandomNumbers): { ended: Promise<unknown>; answered: Promise<void>; end: () => void } {
    let isOver = false;
    const rest = this.#rest();
    let isAnswered = () => {};
    const answered = new Promise<void>((resolve) => {
      isAnswered = resolve;
    });
    const onAnswer = () => {
      this.answeredWrites += 1;
      isAnswered();
    };
    const writers = [...this.#ledgers].flatMap(([collection, ledger]) =>
      ['a', 'b'].map(
        (name): Writer => ({
          collection,
          name,
          ledger,
          unfinished: this.#unfinishedOf(collection),
          onAnswer,
          isOver: () => isOver,
        }),
      ),
    );
    const ended = Promise.all(
      writers.map((writer) => writeUntilKilled(rest, new RandomNumbers(random.between(0, 1e9)), writer)),
    );
    const end = () => {
      isOver = true;
    };
    return { ended, answered, end };
  }

  async whenReady(): Promise<void> {
    const ready = async () => (await fetch(`${this.server.url}/ready`)).status;
    await expect.poll(ready).toBe(200);
  }

  async killWhileStarting(random: RandomNumbers): Promise<void> {
    const child = spawnServer(this.#env);
    await pause(random.between(50, 1_500));
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  async restart(): Promise<void> {
    this.server = await startServer(this.#env);
  }

  #unfinishedOf(collection: string): KeyedImport[] {
    return this.#unfinished.get(collection) ?? [];
  }

  /** What was sent with a key is sent again first: then it is known which documents there are. */
  async verifyDocuments(random: RandomNumbers): Promise<void> {
    const rest = this.#rest();
    for (const [name, ledger] of this.#ledgers) {
      const unfinished = this.#unfinishedOf(name);
      for (const begun of [...unfinished])
        await untilAnswered(() => finishImport(rest, { collection: name, ledger, unfinished }, begun));
      const found = await untilAnswered(() => rest.export(name));
      expect(ledger.settle(found)).toEqual([]);
      const [all, list, count] = await untilAnswered(async () => [
        await rest.search(name, 'keyword', '*'),
        await rest.list(name),
        await rest.documentCount(name),
      ]);
      const counts = [count, list.found, all.found, all.out_of];
      expect(counts).toEqual(counts.map(() => found.length));
      if (found.length === 0) continue;
      const doc = random.pick(found);
      const { hits } = await untilAnswered(() => rest.search(name, 'keyword', String(doc['token'])));
      expect(hits[0]?.document).toEqual(doc);
    }
  }

  /** The index that lived through kills and snapshots gives the same answers as one built from the record alone. */
  async verifyIndex(): Promise<void> {
    const before = await this.#answers();
    expect(await this.server.stop()).toBe(0);
    await rm(path.join(this.#database.settings.dataDir, 'indexes'), { recursive: true });
    await this.restart();
    expect(await this.#answers()).toEqual(before);
    // Leaves snapshots behind, for the next kills to be replayed over.
    expect(await this.server.stop()).toBe(0);
    await this.restart();
    expect(await this.#answers()).toEqual(before);
  }

  async #answers(): Promise<unknown> {
    const rest = this.#rest();
    const queries = [
      ...words.slice(0, 8),
      'river castle',
      'a storm over the ocean',
      'silver lantern in the forest',
    ];
    const answers: unknown[] = [];
    for (const name of names) {
      answers.push(await rest.export(name));
      for (const query of queries) {
        for (const mode of ['keyword', 'vector', 'hybrid'] as const) {
          const { found, hits } = await rest.search(name, mode, query);
          const top = hits.map((hit) => `${hit.id} ${hit.score.toFixed(6)}`);
          answers.push({ name, query, mode, found, top });
        }
      }
    }
    return answers;
  }

  /** The record read without the server: its rows, versions and counts are what the server answered. */
  async verifyRecord(): Promise<void> {
    const record = await openRecord({
      settings: { ...this.#database.settings, storageReserveBytes: 0 },
      migrationsFolder: path.resolve('drizzle'),
      log: createLog('silent'),
    });
    try {
      for (const [name, ledger] of this.#ledgers) {
        const [collection] = await record.db.select().from(collections).where(eq(collections.name, name));
        const rows = await record.db
          .select()
          .from(documents)
          .where(eq(documents.collectionId, collection?.id ?? 0))
          .orderBy(asc(documents.id));
        expect(ledger.settle(rows.map((row): Doc => JSON.parse(row.source)))).toEqual([]);
        expect(collection?.documentCount).toBe(rows.length);
        for (const row of rows) {
          expect(row.version).toBeLessThanOrEqual(collection?.version ?? 0);
          const vector = new Float32Array(Uint8Array.from(row.vectors ?? []).buffer);
          expect(vector.length).toBe(384);
          expect(Math.hypot(...vector)).toBeCloseTo(1, 2);
        }
      }
    } finally {
      await record.close();
    }
  }
}
