import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';

/** An empty embedded database in `dataDir`, where `openRecord` looks for it. */
export async function makeEmbeddedTemplate(dataDir: string): Promise<void> {
  const db = await PGlite.create({ dataDir: path.join(dataDir, 'record') });
  await db.exec('CHECKPOINT');
  await db.close();
}
