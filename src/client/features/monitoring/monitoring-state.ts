import type { SearchSchemaInput } from '@tanstack/react-router';
import { choiceParam } from '#client/lib/search-params.ts';
import type { MonitoringRange } from '#shared/monitoring.ts';

/** Not taken from the API's schemas, which would come along into the first load. */
export const ranges: readonly MonitoringRange[] = ['1h', '24h', '7d', '30d'];

export interface MonitoringState {
  range: MonitoringRange;
}

export const monitoringDefaults: MonitoringState = { range: '24h' };

export function monitoringState(search: Partial<MonitoringState> & SearchSchemaInput): MonitoringState {
  return { range: choiceParam(search.range, ranges, monitoringDefaults.range) };
}

/** "in the last 24 hours" */
export const rangeWords: Record<MonitoringRange, string> = {
  '1h': 'hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
};

/** So many are recent; the API has the others. */
const recentMax = 10;

export const recentAlerts = (workspaceId: number) => ({ workspaceId, page: 1, per_page: recentMax });
