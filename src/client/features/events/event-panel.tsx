import { Alert, Badge, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { AnchorLink, ButtonLink } from '#client/components/display/links.tsx';
import { Snippet } from '#client/components/display/snippet.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { isNotFound } from '#client/lib/error-message.ts';
import { formatDateTime, formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useLast } from '#client/lib/use-last.ts';
import type { RequestDetail } from '#shared/requests.ts';
import { CopyCurl } from './copy-curl.tsx';
import classes from './event-panel.module.css';
import { callerOf, formatClock, formatMs, levelColors } from './format-event.ts';
import { operationName } from './operation-name.ts';
import { ReplayView } from './replay-view.tsx';
import { searchOf } from './search-of.ts';

interface EventPanelProps {
  workspaceId: number;
  /** The one in the address; null: the panel is closed. */
  event: number | null;
  onClose: () => void;
}

/** One event: what was asked, what was answered, and the same asked today. */
export function EventPanel({ workspaceId, event, onClose }: EventPanelProps) {
  const shown = useLast(event);
  const detail = trpc.requests.get.useQuery({ workspaceId, id: shown ?? 0 }, { enabled: shown !== null });
  const { data, error, refetch } = detail;
  return (
    <Drawer.Root opened={event !== null} onClose={onClose} position="right" size="42rem" padding="lg">
      <Drawer.Overlay backgroundOpacity={0.15} />
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title className={classes['title'] ?? ''}>
            {data ? operationName(data.operation) : 'Event'}
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        <Drawer.Body>
          {error && (
            <ErrorView
              error={error}
              title={isNotFound(error) ? 'This event is not kept any more' : 'The event could not be loaded'}
              onRetry={refetch}
            />
          )}
          {!data && !error && <Skeleton height={320} />}
          {data && <Detail key={data.id} workspaceId={workspaceId} event={data} />}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Detail({ workspaceId, event }: { workspaceId: number; event: RequestDetail }) {
  const { error, input } = event;
  const search = searchOf(event);
  return (
    <Stack gap="lg">
      <Facts event={event} />
      {error && (
        <Alert color={event.level === 'error' ? 'red' : 'yellow'} title={error.code}>
          {error.message}
        </Alert>
      )}
      <Group gap="xs" className={classes['ways'] ?? ''}>
        {search && (
          <ButtonLink to="/search" search={search} variant="default" size="xs">
            Open in Search
          </ButtonLink>
        )}
        <CopyCurl workspaceId={workspaceId} event={event} />
      </Group>
      <ReplayView event={event} />
      <section aria-labelledby="event-request">
        <Title order={3} id="event-request" size="h3" mb="xs">
          What was sent
        </Title>
        {input === null || input === undefined ? (
          <Text size="sm" c="dimmed">
            {event.replay === 'too_long' ? 'It was longer than is kept.' : 'Nothing of it is kept.'}
          </Text>
        ) : (
          <>
            <Snippet
              title={event.operation}
              code={JSON.stringify(input, null, 2)}
              copyLabel="Copy what was sent"
            />
            {event.replay === 'write' && (
              <Text size="xs" c="dimmed" mt={4}>
                Of what changes something only the names of its fields are kept, never documents.
              </Text>
            )}
          </>
        )}
      </section>
    </Stack>
  );
}

function Facts({ event }: { event: RequestDetail }) {
  const { at, level, status, tookMs, found, key, collection, requestId, leftOut } = event;
  return (
    <dl className={classes['facts']}>
      <Fact name="Status">
        <Badge color={levelColors[level]}>
          {level} {status}
        </Badge>
      </Fact>
      <Fact name="Time">
        <time dateTime={at} title={formatDateTime(at)}>
          {formatClock(at)}
        </time>
      </Fact>
      <Fact name="Took">{formatMs(tookMs)}</Fact>
      {found !== null && <Fact name="Hits">{formatNumber(found)}</Fact>}
      <Fact name="By">
        <span dir="auto">{key ? `API key ${key.name}` : callerOf({ key })}</span>
      </Fact>
      {collection && (
        <Fact name="Collection">
          <AnchorLink to="/collections/$id" params={{ id: collection.id }} size="sm" dir="auto">
            {collection.name}
          </AnchorLink>
        </Fact>
      )}
      <Fact name="Request">
        <span className={classes['id']}>{requestId}</span>
        <CopyButton value={requestId} label="Copy request id" />
      </Fact>
      {leftOut > 0 && (
        <Fact name="Before it">
          {formatNumber(leftOut)} {leftOut === 1 ? 'request' : 'requests'} came too fast to be kept
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
