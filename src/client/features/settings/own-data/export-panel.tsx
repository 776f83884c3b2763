import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon, downloadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { formatBytes } from '#client/lib/format.ts';
import type { User } from '#shared/accounts.ts';
import { ActionRow } from '../action-row.tsx';
import { type AccountExport, useAccountExport } from './use-account-export.ts';

/** What the account owns, in files that an import reads. */
export function ExportPanel({ user }: { user: User }) {
  const { current, start, cancel } = useAccountExport(user);
  return (
    <Panel title="Export your data">
      <Stack gap="sm">
        <ActionRow text="A ZIP file with your profile, your conversations and, of each workspace that you own, all collections: their documents, settings, synonyms, overrides, presets and judgements, as the API imports them. API keys stay here.">
          {current.state === 'running' ? (
            <Button variant="default" onClick={cancel}>
              Cancel export
            </Button>
          ) : (
            <Button variant="default" leftSection={<Icon shape={downloadIcon} />} onClick={start}>
              Export everything
            </Button>
          )}
        </ActionRow>
        <Outcome current={current} />
      </Stack>
    </Panel>
  );
}

function Outcome({ current }: { current: AccountExport }) {
  if (current.state === 'idle') return null;
  if (current.state === 'failed')
    return (
      <Alert color="red" icon={<Icon shape={alertTriangleIcon} />} role="alert">
        {current.message}
      </Alert>
    );
  if (current.state === 'saved')
    return (
      <Text size="sm" role="status">
        Saved: {current.collections} {current.collections === 1 ? 'collection' : 'collections'},{' '}
        {formatBytes(current.bytes)}
      </Text>
    );
  const { progress } = current;
  return (
    <>
      <Progress
        value={progress && progress.of > 0 ? (Math.max(0, progress.number - 1) / progress.of) * 100 : 0}
        size="sm"
        aria-label="Export"
      />
      <Text size="sm" role="status">
        {progress?.collection
          ? `${progress.collection} (${progress.number} of ${progress.of}), ${formatBytes(progress.bytes)} of documents`
          : 'Looking up what there is'}
      </Text>
    </>
  );
}
