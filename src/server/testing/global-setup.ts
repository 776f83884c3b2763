import { rm } from 'node:fs/promises';
import path from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrateRecord } from '#server/db/migrations.ts';
import { openRecord } from '#server/db/open-record.ts';
import { createLog } from '#server/log.ts';
import { buildServer } from '../../../scripts/build-server.mjs';
import { makeFolder, startBundled, startOlder, type TestPostgres } from './test-postgres.ts';

/** The administrator's address of a Postgres that has a migrated template, or why there is none. */
export type ProvidedPostgres = { url: string; template: string } | { missing: string };

declare module 'vitest' {
  interface ProvidedContext {
    bundledPostgres: ProvidedPostgres;
    olderPostgres: ProvidedPostgres;
    /** A data directory as a first start leaves it. */
    embeddedTemplate: string;
  }
}

/** A migrated database that tests copy: cheaper than to migrate each one. */
const template = 'vectora_template';

/**
 * Once a run: builds the threads' files, makes an embedded database to copy, and starts the Postgres that comes with the product and, where
 * one is installed, an older one (or takes the server that TEST_DATABASE_URL names for it). Nothing is ever installed.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const started: Pick<TestPostgres, 'stop'>[] = [];
  const stop = async () => {
    for (const server of started) await server.stop();
  };
  const provide = async (server: Pick<TestPostgres, 'url' | 'stop'> | string): Promise<ProvidedPostgres> => {
    if (typeof server === 'string') return { missing: server };
    started.push(server);
    await makeTemplate(server.url);
    return { url: server.url, template };
  };
  const provideEmbedded = async () => {
    const dataDir = await makeFolder();
    started.push({ stop: () => rm(dataDir, { recursive: true, force: true }) });
    await startOnce(dataDir);
    project.provide('embeddedTemplate', dataDir);
  };
  // What the embedded one runs is made ready by the first of them.
  const provideServers = async () => {
    project.provide('bundledPostgres', await provide(await startBundled()));
    await provideEmbedded();
  };
  const provideOlder = async () => {
    const older = given ? { url: given, stop: async () => undefined } : await startOlder();
    project.provide('olderPostgres', await provide(older));
  };
  const outcomes = await Promise.allSettled([buildServer(), provideServers(), provideOlder()]);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed === undefined) return stop;
  await stop();
  throw failed.reason;
}

async function startOnce(dataDir: string): Promise<void> {
  const settings = { dataDir, databaseUrl: null, storageReserveBytes: 0 };
  const record = await openRecord({ settings, migrationsFolder: 'drizzle', log: createLog('silent') });
  await record.close();
}

async function makeTemplate(url: string): Promise<void> {
  const options = { max: 1, onnotice: () => undefined };
  const admin = postgres(url, options);
  await admin`drop database if exists ${admin(template)}`;
  await admin`create database ${admin(template)}`;
  await admin.end();
  const sql = postgres(url, { ...options, database: template });
  await migrateRecord(sql, path.resolve('drizzle'));
  await sql.end();
}
