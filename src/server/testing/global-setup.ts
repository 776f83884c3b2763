import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildServer } from '../../../scripts/build-server.mjs';
import { startPostgres } from '../../../scripts/postgres.mjs';
import { makeEmbeddedTemplate } from './embedded-template.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Administrator's address of a real Postgres, or why there is none. */
    postgres: { url: string } | { missing: string };
    /** A fresh embedded data directory to copy: creating one takes seconds. */
    embeddedTemplate: string;
  }
}

/** Once a run: builds the threads' files, starts a Postgres unless TEST_DATABASE_URL names one, and makes an empty embedded database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildServer();
  const given = process.env['TEST_DATABASE_URL'];
  const started = given ? null : await startPostgres().catch((error: Error) => error.message);
  if (given) project.provide('postgres', { url: given });
  else if (typeof started === 'string') project.provide('postgres', { missing: started });
  else if (started) project.provide('postgres', { url: started.url });
  const folder = await mkdtemp(path.join(tmpdir(), 'vectora-template-'));
  await makeEmbeddedTemplate(folder);
  project.provide('embeddedTemplate', folder);
  return async () => {
    if (started !== null && typeof started !== 'string') await started.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
