import { z } from 'zod';
import { collectionName } from './collections.ts';
import { entityId, moment, name } from './fields.ts';
import { pageFields } from './pages.ts';

/** A further name of a collection, by which it can be exchanged for another one in one write. */
export const aliasShape = z
  .object({
    name,
    /** What the collection is called now. */
    collection: name,
    collectionId: z.int(),
    projectId: z.int(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'Alias' });
export type Alias = z.output<typeof aliasShape>;

export const aliasList = z.strictObject({ projectId: entityId.optional(), ...pageFields });
/** `projectId`: where several of a user's projects have an alias of this name. */
export const aliasRef = z.strictObject({ name, projectId: entityId.optional() });
/** The alias goes into the project of its collection. */
export const aliasPut = z.strictObject({ name, collection: collectionName });
