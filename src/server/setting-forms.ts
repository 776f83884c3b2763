import { z } from 'zod';

/** Forms that several settings have. */
export const count = (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback);

export const switchOf = z
  .enum(['true', 'false', '1', '0', ''])
  .transform((value) => value === 'true' || value === '1');
