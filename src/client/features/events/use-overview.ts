import { useThrottledValue } from '@mantine/hooks';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { trpc } from '#client/lib/trpc.ts';
import type { Request, RequestOverview } from '#shared/requests.ts';

/** The sums look at an hour of requests, so they are not asked for with each of them. */
const everyMs = 5_000;

/** The sums of the last hour, at most every few seconds, as events come. */
export function useOverview(
  workspaceId: number,
  newest: Request | undefined,
): UseQueryResult<RequestOverview> {
  const { client } = trpc.useUtils();
  const asOf = useThrottledValue(newest?.id ?? 0, everyMs);
  return useQuery({
    // None of the router's, or each request would ask for it anew.
    queryKey: [['requestOverview'], { input: { workspaceId } }, asOf],
    queryFn: ({ signal }) => client.requests.overview.query({ workspaceId }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: everyMs,
  });
}
