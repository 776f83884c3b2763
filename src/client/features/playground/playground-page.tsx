import { Skeleton, Stack } from '@mantine/core';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { ConfigurationCard } from './configuration-card.tsx';
import { EndpointTabs } from './endpoint-tabs.tsx';
import type { ChangePlayground, PlaygroundState } from './playground-state.ts';
import { SummaryCard } from './summary-card.tsx';
import { useEndpoints } from './use-endpoints.ts';
import { usePlace } from './use-place.ts';

interface PlaygroundPageProps {
  state: PlaygroundState;
  onChange: ChangePlayground;
}

/** Real requests to the API, with a key of the reader's own. */
export function PlaygroundPage({ state, onChange }: PlaygroundPageProps) {
  const { endpoints, schemas, isError, error, refetch, isSuccess } = useEndpoints();
  const place = usePlace(state);
  const count = isSuccess ? `${endpoints.length} ` : '';
  return (
    <>
      <PageHeader
        title="API Playground"
        description={`Test all ${count}API endpoints - collections, documents, search, synonyms, and overrides`}
      />
      {isError ? (
        <ErrorView error={error} title="The API's description could not be loaded" onRetry={refetch} />
      ) : !place.workspace && !place.isLoading ? (
        <NoWorkspace />
      ) : isSuccess && !place.isLoading ? (
        <Stack gap="md">
          <SummaryCard endpoints={endpoints} />
          <ConfigurationCard place={place} onChange={onChange} />
          <EndpointTabs {...{ endpoints, schemas, place, state, onChange }} />
        </Stack>
      ) : (
        <Stack gap="md" aria-hidden="true">
          <Skeleton height={84} radius="lg" />
          <Skeleton height={150} radius="lg" />
          <Skeleton height={420} radius="lg" />
        </Stack>
      )}
    </>
  );
}
