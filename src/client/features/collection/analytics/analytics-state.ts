import type { SearchSchemaInput } from '@tanstack/react-router';
import { choiceParam } from '#client/lib/search-params.ts';

/** The lists of queries, as the API names them; beside its schema, which would come along into the first load. */
export const queryLists = ['top', 'no_results', 'no_clicks'] as const;
export type QueryList = (typeof queryLists)[number];

/** Of days, today among them. */
export const periods = ['7', '30', '90'] as const;

/** What of the collection page's address is the tab Analytics'. */
export interface AnalyticsState {
  period: (typeof periods)[number];
  queries: QueryList;
}

export const analyticsDefaults = { period: '30', queries: 'top' } as const satisfies AnalyticsState;

export function analyticsState(search: Partial<AnalyticsState> & SearchSchemaInput): AnalyticsState {
  // The router reads `?period=7` as a number.
  return {
    period: choiceParam(String(search.period), periods, analyticsDefaults.period),
    queries: choiceParam(search.queries, queryLists, analyticsDefaults.queries),
  };
}
