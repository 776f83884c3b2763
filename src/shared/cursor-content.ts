import { z } from 'zod';
import { limits } from './limits.ts';

/** Numbers as text: JSON has no infinity. */
const number = z
  .string()
  .max(40)
  .transform(Number)
  .refine((value) => !Number.isNaN(value));
const sortValue = z.union([
  z.tuple([z.literal('t'), z.string()]).transform(([, value]) => ({ class: 3, value })),
  z.tuple([z.int().min(0).max(255), number]).transform(([kind, value]) => ({ class: kind, value })),
]);
/** Of a cursor: how many hits were shown, the last pin among them, and of the last of the others id, seal and sort values. */
export const cursorContent = z
  .tuple([
    z.int().min(0),
    z.string().max(limits.documentIdBytesMax).nullable(),
    z
      .tuple([
        z.string().max(limits.documentIdBytesMax),
        z.int(),
        z.array(sortValue).min(1).max(limits.sortKeysMax),
      ])
      .transform(([id, seal, values]) => ({ id, seal, values }))
      .nullable(),
  ])
  .transform(([shown, pin, last]) => ({ shown, pin, last }));
