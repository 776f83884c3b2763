import { Alert, Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon, downloadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { type ExportJob, startExport, useExportJob } from '#client/lib/exports/export-jobs.ts';
import { formatBytes, formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';

/** The documents as a file; the export goes on wherever the reader goes. */
export function ExportPanel({ collection }: { collection: Collection }) {
  const { id, name } = collection;
  const job = useExportJob(id);
  const [filter, setFilter] = useState(job?.filter ?? '');
  const isRunning = job?.state === 'running';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void startExport({ collection: { id, name }, filter });
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
              <Button variant="default" onClick={job.cancel}>
                Cancel export
              </Button>
            ) : (
              <Button type="submit" variant="default" leftSection={<Icon shape={downloadIcon} />}>
                Export documents
              </Button>
            )}
          </Group>
          {job && <Outcome job={job} outOf={job.filter.trim() === '' ? collection.documentCount : null} />}
        </Stack>
      </form>
    </Panel>
  );
}

/** `outOf`: null where it is not known how many pass. */
function Outcome({ job, outOf }: { job: ExportJob; outOf: number | null }) {
  if (job.state === 'failed')
    return (
      <Alert color="red" icon={<Icon shape={alertTriangleIcon} />} role="alert">
        {job.message}
      </Alert>
    );
  const { documents, bytes } = job;
  const sizes = `${formatNumber(documents)} ${documents === 1 ? 'document' : 'documents'}, ${formatBytes(bytes)}`;
  return (
    <>
      {job.state === 'running' && outOf !== null && outOf > 0 && (
        <Progress value={Math.min(100, (documents / outOf) * 100)} size="sm" aria-label="Export" />
      )}
      <Text size="sm" role="status">
        {job.state === 'saved' ? `Saved: ${sizes}` : sizes}
      </Text>
    </>
  );
}
