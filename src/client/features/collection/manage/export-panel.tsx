import { Alert, Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon, downloadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { download } from '#client/lib/download.ts';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatBytes, formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import { exportDocuments } from './export-documents.ts';

type Export =
  | { state: 'idle' }
  | { state: 'running'; documents: number; bytes: number }
  | { state: 'saved'; documents: number; bytes: number }
  | { state: 'failed'; message: string };

/** The documents as a file; leaving the page ends it. */
export function ExportPanel({ collection }: { collection: Collection }) {
  const [filter, setFilter] = useState('');
  const { current, start, cancel } = useExport(collection, filter);
  const isRunning = current.state === 'running';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isRunning) void start();
  };
  return (
    <Panel title="Export">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Only what passes a filter"
              description="One JSON document a line (NDJSON), in the order of ids."
              placeholder="year:>1990"
              dir="auto"
              autoComplete="off"
              maxLength={limits.filterCharactersMax}
              disabled={isRunning}
              style={{ flex: '1 1 16rem' }}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
            />
            {isRunning ? (
              <Button variant="default" onClick={cancel}>
                Cancel export
              </Button>
            ) : (
              <Button type="submit" variant="default" leftSection={<Icon shape={downloadIcon} />}>
                Export documents
              </Button>
            )}
          </Group>
          <Outcome current={current} outOf={filter.trim() === '' ? collection.documentCount : null} />
        </Stack>
      </form>
    </Panel>
  );
}

/** `outOf`: null where it is not known how many pass. */
function Outcome({ current, outOf }: { current: Export; outOf: number | null }) {
  if (current.state === 'idle') return null;
  if (current.state === 'failed')
    return (
      <Alert color="red" icon={<Icon shape={alertTriangleIcon} />} role="alert">
        {current.message}
      </Alert>
    );
  const { documents, bytes } = current;
  const sizes = `${formatNumber(documents)} ${documents === 1 ? 'document' : 'documents'}, ${formatBytes(bytes)}`;
  return (
    <>
      {current.state === 'running' && outOf !== null && outOf > 0 && (
        <Progress value={Math.min(100, (documents / outOf) * 100)} size="sm" aria-label="Export" />
      )}
      <Text size="sm" role="status">
        {current.state === 'saved' ? `Saved: ${sizes}` : sizes}
      </Text>
    </>
  );
}

function useExport({ id, name }: Collection, filter: string) {
  const [current, setCurrent] = useState<Export>({ state: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    const controller = new AbortController();
    running.current = controller;
    let told = { documents: 0, bytes: 0 };
    setCurrent({ state: 'running', ...told });
    try {
      const file = await exportDocuments({
        collection: id,
        filter,
        signal: controller.signal,
        onProgress: (documents, bytes) => {
          told = { documents, bytes };
          setCurrent({ state: 'running', ...told });
        },
      });
      download(`${name}.ndjson`, file);
      setCurrent({ state: 'saved', ...told });
    } catch (error) {
      if (controller.signal.aborted) setCurrent({ state: 'idle' });
      else
        setCurrent({
          state: 'failed',
          message: `Nothing was saved: ${errorMessage(error, 'the export broke off')}`,
        });
    } finally {
      if (running.current === controller) running.current = null;
    }
  };
  return { current, start, cancel: () => running.current?.abort() };
}
