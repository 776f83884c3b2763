import { Badge, Group, Paper, Skeleton, Tabs, Text, Title } from '@mantine/core';
import { type ReactNode, Suspense, useId } from 'react';
import { playerPlayIcon } from '#client/components/display/icon-shapes.gen.ts';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { formatBytes } from '#client/lib/format.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { type ApiResponse, isSuccess } from '../send-request.ts';
import type { Answered } from '../use-sender.ts';
import { HeadersTable } from './headers-table.tsx';
import classes from './response-panel.module.css';

const JsonView = lazyPart(async () => ({
  default: (await import('#client/components/code/json-view.tsx')).JsonView,
}));

interface ResponsePanelProps {
  answered: Answered | null;
  isRunning: boolean;
  /** What to do about what was answered, where there is something. */
  hint: string | null;
  historyCount: number;
  history: ReactNode;
}

/** What the last request was answered, beside those that were sent before. */
export function ResponsePanel({ answered, isRunning, hint, historyCount, history }: ResponsePanelProps) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} withBorder className={classes['panel'] ?? ''}>
      <Title order={2} size="h3" id={id} className={classes['title'] ?? ''}>
        Response
      </Title>
      <div role="status" className={classes['status']}>
        {isRunning ? <Text size="sm">Executing...</Text> : answered && <StatusLine answered={answered} />}
      </div>
      <Tabs defaultValue="body" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="body">Body</Tabs.Tab>
          <Tabs.Tab value="headers">Headers</Tabs.Tab>
          <Tabs.Tab value="history">{historyCount > 0 ? `History (${historyCount})` : 'History'}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="body" pt="sm">
          {answered ? <ResponseBody response={answered.response} hint={hint} /> : <Nothing />}
        </Tabs.Panel>
        <Tabs.Panel value="headers" pt="sm">
          {answered ? <HeadersTable headers={answered.response.headers} /> : <Nothing />}
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="sm">
          {history}
        </Tabs.Panel>
      </Tabs>
    </Paper>
  );
}

function Nothing() {
  return <EmptyState icon={playerPlayIcon} title="Execute an API request to see the response" />;
}

function StatusLine({ answered: { request, response } }: { answered: Answered }) {
  const { status, statusText, timeMs, bytes, data } = response;
  const isGood = isSuccess(status);
  return (
    <Group gap="xs" wrap="nowrap">
      <Badge variant="filled" color={isGood ? 'iris' : 'red'} flex="none">
        {`${status} ${statusText}`.trim()}
      </Badge>
      <Text size="sm" className={classes['figures'] ?? ''}>
        {`${Math.round(timeMs)} ms`}
        {status > 0 && ` · ${formatBytes(bytes)}`}
      </Text>
      <Text size="xs" c="dimmed" truncate className={classes['sent'] ?? ''} title={request.path}>
        {request.method} {request.path}
      </Text>
      {data !== '' && <CopyButton value={data} label="Copy response body" />}
    </Group>
  );
}

/** Larger texts are for a file, not for a screen. */
const shownCharactersMax = 2_000_000;

function ResponseBody({ response, hint }: { response: ApiResponse; hint: string | null }) {
  const { data, isJson, status } = response;
  const shown = data.slice(0, shownCharactersMax);
  return (
    <>
      {status === 0 && (
        <Text size="sm" mb="xs">
          No answer came. Check your connection, and that the server runs; then execute the request again.
        </Text>
      )}
      {hint !== null && (
        <Text size="sm" mb="xs">
          {hint}
        </Text>
      )}
      {data === '' ? (
        <Text size="sm" c="dimmed">
          The body is empty.
        </Text>
      ) : isJson ? (
        <Suspense fallback={<Skeleton height="16rem" />}>
          <JsonView label="Response body" text={shown} />
        </Suspense>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to take the focus
        <pre className={classes['text']} tabIndex={0}>
          {shown}
        </pre>
      )}
      {shown.length < data.length && (
        <Text size="xs" c="dimmed" mt={4}>
          This is its beginning; the copy is whole.
        </Text>
      )}
    </>
  );
}
