import path from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrateRecord } from '#server/db/migrations.ts';
import { buildServer } from '../../../scripts/build-server.mjs';
import { startBundled, startOlder, type TestPostgres } from './test-postgres.ts';

/** The administrator's address of a Postgres that has a migrated template, or why there is none. */
export type ProvidedPostgres = { url: string; template: string } | { missing: string };

declare module 'vitest' {
  interface ProvidedContext {
    bundledPostgres: ProvidedPostgres;
    olderPostgres: ProvidedPostgres;
  }
}

/** A migrated database that tests copy: cheaper than to migrate each one. */
const template = 'vectora_template';

/**
 * Once a run: builds the threads' files and starts the Postgres that comes with the product and, where one is installed, an older one
 * (or takes the server that TEST_DATABASE_URL names for it). Nothing is ever installed.
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
  try {
    await buildServer();
    project.provide('bundledPostgres', await provide(await startBundled()));
    const older = given ? { url: given, stop: async () => undefined } : await startOlder();
    project.provide('olderPostgres', await provide(older));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
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
