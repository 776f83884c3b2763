import { z } from 'zod';
import { entityId, moment, name, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { pageFields } from './pages.ts';

export const permissions = ['read', 'write'] as const;
export type Permission = (typeof permissions)[number];

/** What can be set, at the beginning and later. */
const settings = z.strictObject({ name, isActive: z.boolean(), expiresAt: timestamp.nullable() });

/** What is decided once. */
const scope = z.strictObject({
  permissions: z
    .array(z.enum(permissions))
    .min(1, 'name at least one permission')
    .max(permissions.length, 'name each permission once'),
  /** Names of the collections the key is limited to; `null`: all of the project's. */
  collections: z
    .array(name)
    .min(1, 'name at least one collection')
    .max(1_000, 'name at most 1000 collections')
    .nullable(),
});

export const apiKeyShape = z
  .object({
    id: z.int(),
    ...settings.shape,
    ...scope.shape,
    projectId: z.int(),
    /** Masked: 32 bullets and the last four characters. Whole in the answer of `create`, `rotate` and `reveal`. */
    key: z.string(),
    lastFour: z.string(),
    lastUsed: moment.nullable(),
    /** API requests of the last 24 hours, this one's begun hour included. */
    requestsLast24h: z.int(),
    /** What the key was before it was rotated, while that still works. */
    former: z.object({ lastFour: z.string(), until: moment }).nullable(),
    createdAt: moment,
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof apiKeyShape>;

export const apiKeyList = z.strictObject({ projectId: entityId, ...pageFields });
export const apiKeyRef = z.strictObject({ id: entityId });
export const apiKeyCreate = settings.partial().extend({
  name,
  projectId: entityId,
  permissions: scope.shape.permissions.default(['read', 'write']),
  collections: scope.shape.collections.optional(),
});
export const apiKeyUpdate = settings.partial().extend({
  id: entityId,
  /** Null: the former value ends now. */
  former: z.null().optional(),
});
export const apiKeyRotate = apiKeyRef.extend({
  /** So long the former value works beside the new one; 0: it ends at once. */
  graceHours: z
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(limits.apiKeyGraceHoursMax, `must be at most ${limits.apiKeyGraceHoursMax}`)
    .default(24),
});
