import { Alert, Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon, downloadIcon, uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { type DialogContentProps, useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { download } from '#client/lib/download.ts';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatNumber } from '#client/lib/format.ts';
import { toastError } from '#client/lib/toast.ts';
import { MendGrid } from './mend-grid.tsx';
import { MendRule } from './mend-rule.tsx';
import { readRejects } from './read-rejects.ts';
import { byCause, type RejectedRow, type Rejects, rejectsFile } from './rejects.ts';
import { sendMended } from './send-mended.ts';
import { useMending } from './use-mending.ts';

interface MendRowsProps extends DialogContentProps {
  rejects: Rejects;
}

/** The bench for rows that an import refused: by cause, to be mended one by one or all alike, and sent again alone. */
export function MendRows({ rejects, onClose }: MendRowsProps) {
  const { rows, fault } = useRejectedRows(rejects);
  if (fault) {
    return (
      <Alert
        color="red"
        icon={<Icon shape={alertTriangleIcon} />}
        role="alert"
        title="The rows cannot be read"
      >
        {fault} Import the file again to mend them.
      </Alert>
    );
  }
  if (!rows) return <Skeleton height="16rem" radius="md" aria-hidden="true" />;
  return <Bench rejects={rejects} rows={rows} onClose={onClose} />;
}

function useRejectedRows(rejects: Rejects) {
  const [read, setRead] = useState<{ rows: RejectedRow[] | null; fault: string | null }>({
    rows: null,
    fault: null,
  });
  useEffect(() => {
    const leaving = new AbortController();
    readRejects(rejects, leaving.signal).then(
      (rows) => setRead({ rows, fault: null }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setRead({ rows: null, fault: errorMessage(error) });
      },
    );
    return () => leaving.abort();
  }, [rejects]);
  return read;
}

/** The bench has some of the rows, the download all that are known. */
function useSaving(rejects: Rejects, rows: RejectedRow[]) {
  const [isSaving, setSaving] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);
  const { file, outcome } = rejects;
  const save = async () => {
    const { signal } = leaving.current;
    const { failures } = outcome;
    setSaving(true);
    try {
      const all = failures.length > rows.length ? await readRejects(rejects, signal, failures.length) : rows;
      download(`${file.name}.failed.ndjson`, rejectsFile(all, failures));
    } catch (error) {
      if (!signal.aborted) toastError(`The rows could not be read: ${errorMessage(error)}`);
    } finally {
      setSaving(false);
    }
  };
  return { save, isSaving };
}

function Bench({ rejects, rows, onClose }: MendRowsProps & { rows: RejectedRow[] }) {
  const { collection, file, outcome } = rejects;
  const mending = useMending(rows, rejects);
  const causes = byCause(rows, outcome.faults);
  const [chosen, setChosen] = useState('0');
  const { user } = useAuth();
  const { open } = useDialogs();
  const queryClient = useQueryClient();
  const { save, isSaving } = useSaving(rejects, rows);
  const sent = mending.documents();
  const send = () => {
    if (!user) return;
    const openRejects = (next: Rejects) => open('mend-rows', { rejects: next });
    sendMended({ rejects, documents: sent }, { userId: user.id, queryClient, openRejects });
    mending.leaveOutSent();
    onClose();
  };
  return (
    <Stack>
      <Text size="sm">
        {outcome.failed === 1 ? '1 row' : `${formatNumber(outcome.failed)} rows`} of {file.name}{' '}
        {outcome.failed === 1 ? 'was' : 'were'} refused and changed nothing in {collection.name}.
        {outcome.failed > rows.length && ` The first ${formatNumber(rows.length)} are here.`}
        {outcome.failed > outcome.failures.length &&
          ` The download has the first ${formatNumber(outcome.failures.length)}.`}
      </Text>
      <Tabs value={chosen} onChange={(place) => setChosen(place ?? '0')} keepMounted={false}>
        <Tabs.List>
          {causes.map(({ cause, rows: own }, place) => (
            <Tabs.Tab key={cause} value={String(place)}>
              {cause} ({formatNumber(own.length)})
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {causes.map(({ cause, rows: own }, place) => (
          <Tabs.Panel key={cause} value={String(place)} pt="sm">
            <Stack gap="sm">
              <MendRule rows={own} mending={mending} />
              {own.some(({ isUneven }) => isUneven) && (
                <Text size="sm" c="dimmed">
                  Which column each cell belongs to cannot be told. Put right what is in the wrong place: a
                  row that you edit or tick is sent.
                </Text>
              )}
              <MendGrid rows={own} mending={mending} />
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Group justify="space-between" gap="xs">
        <Button
          variant="subtle"
          leftSection={<Icon shape={downloadIcon} />}
          loading={isSaving}
          onClick={save}
        >
          Download rows with reasons
        </Button>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button leftSection={<Icon shape={uploadIcon} />} disabled={sent.length === 0} onClick={send}>
            Send {sent.length === 1 ? '1 row' : `${formatNumber(sent.length)} rows`} again
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
