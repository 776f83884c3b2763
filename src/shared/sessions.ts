import { z } from 'zod';
import { entityId, moment } from './fields.ts';
import { pageFields } from './pages.ts';

/** Somewhere that a user is signed in. */
export const sessionShape = z
  .object({
    /** Signs nobody in. */
    id: z.int(),
    createdAt: moment,
    /** To some minutes. */
    lastSeenAt: moment,
    expiresAt: moment,
    /** From where it was begun: an IPv4 address or an IPv6 /64. Null: before this was kept. */
    address: z.string().nullable(),
    /** What the browser called itself. */
    userAgent: z.string().nullable(),
    /** The one that asks. */
    isCurrent: z.boolean(),
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof sessionShape>;
/** How many were ended. */
export const endedShape = z.object({ ended: z.int() });

export const sessionList = z.strictObject(pageFields);
export const sessionRef = z.strictObject({ id: entityId });
