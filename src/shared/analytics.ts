import { z } from 'zod';
import { collectionRef } from './collections.ts';
import { documentId } from './document-id.ts';
import { limits } from './limits.ts';
import { pageFields } from './pages.ts';
import { wholeNumber } from './parameters.ts';
import { searchModes } from './search.ts';

export const eventTypes = ['click', 'conversion'] as const;
export type EventType = (typeof eventTypes)[number];

/** What somebody did with a document that a search has found. */
export const searchEvent = collectionRef
  .extend({
    type: z.enum(eventTypes),
    /** Of the search's answer. */
    query_id: z.string().min(1).max(limits.queryIdCharactersMax),
    /** The document's. */
    id: documentId,
    /** The hit's place in the whole list, from 1. */
    position: wholeNumber(1, limits.pagedHitsMax).optional(),
  })
  .refine(({ type, position }) => type !== 'click' || position !== undefined, {
    path: ['position'],
    message: 'is required for a click: the place of the hit in the list, from 1',
  });

export const queryLists = ['top', 'no_results', 'no_clicks'] as const;

export const analyticsInput = collectionRef.extend({
  /** Days (UTC), today among them. */
  days: wholeNumber(1, limits.historyDaysMax).default(30),
  /** Which queries: the most frequent ones, those that found nothing, or those that found something of which nothing was clicked. */
  kind: z.enum(queryLists).default('top'),
  /** Of searches of this mode only. */
  mode: z.enum(searchModes).optional(),
  ...pageFields,
});

const rate = z.number().min(0).max(1).nullable();
const figures = {
  searches: z.int(),
  without_results: z.int(),
  clicks: z.int(),
  conversions: z.int(),
  click_through_rate: rate.describe('Searches with a click, of all searches; null where there was no search'),
  conversion_rate: rate.describe(
    'Searches with a conversion, of all searches; null where there was no search',
  ),
};

const queryFigures = z.object({
  query: z.string().describe('Folded, its beginning where it was long; `*`: every document'),
  ...figures,
  found: z.number().nullable().describe('Documents found, on average; null where there was no search'),
  click_position: z.number().nullable().describe('On average; null where there was no click'),
});
export type QueryFigures = z.output<typeof queryFigures>;

export const analyticsShape = z
  .object({
    from: z.string().describe('The first day, in UTC'),
    to: z.string().describe('The last day, in UTC'),
    ...figures,
    search_time_ms: z.number().nullable().describe('On average; null where there was no search'),
    clicks_by_position: z
      .array(z.object({ position: z.int(), clicks: z.int() }))
      .describe(
        `Of the places that were clicked; ${limits.clickPositionsMax + 1} stands for all behind it too`,
      ),
    days: z
      .array(
        z.object({
          date: z.string().describe('YYYY-MM-DD, in UTC'),
          searches: z.int(),
          without_results: z.int(),
          clicks: z.int(),
          conversions: z.int(),
        }),
      )
      .describe('Each of the days, those without searches too'),
    queries: z.array(queryFigures).describe('A page of the list that was asked for'),
  })
  .meta({ id: 'Analytics' });
export type Analytics = z.output<typeof analyticsShape>;

export const eventShape = z.object({ ok: z.literal(true) });
