import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { RestError } from '#client/lib/rest-error.ts';
import { type ApiDescription, readEndpoints } from './endpoints.ts';

/** The API's own description, which also says what may stand in a body. It changes with the server alone. */
export function useEndpoints() {
  const query = useQuery({ queryKey: ['openapi'], queryFn: ({ signal }) => fetchDescription(signal) });
  const endpoints = useMemo(() => (query.data ? readEndpoints(query.data) : []), [query.data]);
  return { ...query, endpoints, schemas: query.data?.components.schemas ?? {} };
}

async function fetchDescription(signal: AbortSignal): Promise<ApiDescription> {
  const answer = await fetch('/api/openapi.json', { signal });
  if (!answer.ok) throw new RestError(answer.status, answer.statusText, await answer.text());
  return (await answer.json()) as ApiDescription;
}
