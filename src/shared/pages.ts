import type { z } from 'zod';
import { limits } from './limits.ts';
import { wholeNumber } from './parameters.ts';

/** Which part of a list is asked for; the first hundred unless told. */
export const pageFields = {
  page: wholeNumber(1).default(1),
  per_page: wholeNumber(1, limits.perPageMax).default(100),
};

export type PageInput = { [Field in keyof typeof pageFields]: z.output<(typeof pageFields)[Field]> };
