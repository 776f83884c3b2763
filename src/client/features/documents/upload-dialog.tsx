import { Alert, Box, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon, uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Snippet } from '#client/components/display/snippet.tsx';
import { curlCommand } from '#client/lib/curl-command.ts';
import { formatBytes } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import { restCall } from '#shared/rest-addresses.ts';
import { DropZone } from './drop-zone.tsx';
import { formatNames, type UploadPreview } from './upload-format.ts';
import { UploadProgressView } from './upload-progress-view.tsx';
import { UploadReport } from './upload-report.tsx';
import { useUpload } from './use-upload.ts';

interface UploadDialogProps {
  opened: boolean;
  /** The ones to choose from. */
  collections: Collection[];
  /** The one to begin with. */
  collectionId: number | null;
  onClose: () => void;
}

/** Loads a file of documents into a collection. It stays open while it sends, so that nobody loses sight of a running upload. */
export function UploadDialog({ opened, onClose, ...rest }: UploadDialogProps) {
  const [isSending, setSending] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Upload documents"
      size="lg"
      closeOnClickOutside={!isSending}
      closeOnEscape={!isSending}
      withCloseButton={!isSending}
    >
      <UploadForm {...rest} onClose={onClose} onSending={setSending} />
    </Modal>
  );
}

interface UploadFormProps extends Omit<UploadDialogProps, 'opened'> {
  onSending: (isSending: boolean) => void;
}

function UploadForm({ collections, collectionId, onClose, onSending }: UploadFormProps) {
  const only = collections.length === 1 ? collections[0]?.id : undefined;
  const [chosenId, setChosenId] = useState<number | null>(collectionId ?? only ?? null);
  const { state, ...upload } = useUpload();
  const collection = collections.find(({ id }) => id === chosenId) ?? null;
  const send = async (ready: { file: File; preview: UploadPreview }) => {
    if (!collection) return;
    onSending(true);
    await upload.send(collection.id, ready);
    onSending(false);
  };

  if (state.step === 'sending') {
    return <UploadProgressView file={state.file} progress={state.progress} onCancel={upload.cancel} />;
  }
  if (state.step === 'done') {
    const { file, summary } = state;
    return <UploadReport fileName={file.name} summary={summary} onAgain={upload.reset} onClose={onClose} />;
  }
  return (
    <Stack>
      <CollectionSelect collections={collections} chosenId={chosenId} onChoose={setChosenId} />
      {state.fault && <Fault text={state.fault} />}
      {state.step === 'choose' ? (
        <>
          <DropZone onFile={upload.choose} />
          {collection && <UploadSnippet collection={collection} />}
        </>
      ) : (
        <FilePreview file={state.file} preview={state.preview} onOther={upload.reset} />
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={state.step !== 'ready' || !collection}
          leftSection={<Icon shape={uploadIcon} />}
          onClick={() => state.step === 'ready' && send(state)}
        >
          Upload
        </Button>
      </Group>
    </Stack>
  );
}

function Fault({ text }: { text: string }) {
  return (
    <Alert color="red" icon={<Icon shape={alertTriangleIcon} />} role="alert">
      {text}
    </Alert>
  );
}

interface CollectionSelectProps {
  collections: Collection[];
  chosenId: number | null;
  onChoose: (id: number | null) => void;
}

function CollectionSelect({ collections, chosenId, onChoose }: CollectionSelectProps) {
  return (
    <Select
      label="Collection"
      placeholder={collections.length === 0 ? 'There is no collection yet' : 'Choose a collection'}
      required
      allowDeselect={false}
      searchable={collections.length > 8}
      data={collections.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosenId}
      onChange={onChoose}
    />
  );
}

function FilePreview(props: { file: File; preview: UploadPreview; onOther: () => void }) {
  const { file, preview } = props;
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap">
        <Box miw={0}>
          <Text fw={600} size="sm" truncate title={file.name}>
            {file.name}
          </Text>
          <Text size="sm" c="dimmed">
            {formatNames[preview.format]}, {formatBytes(file.size)}
          </Text>
        </Box>
        <Button variant="subtle" size="xs" flex="none" onClick={props.onOther}>
          Choose another
        </Button>
      </Group>
      {preview.first ? (
        <FirstDocument document={preview.first} />
      ) : (
        <Text size="sm">The first document is too long to be shown here.</Text>
      )}
    </Stack>
  );
}

function FirstDocument({ document }: { document: Record<string, unknown> }) {
  const text = JSON.stringify(document, null, 2);
  return (
    <Snippet
      title="First document"
      code={text.length > 1_200 ? `${text.slice(0, 1_200)}\n…` : text}
      copied={text}
      copyLabel="Copy document"
    />
  );
}

function UploadSnippet({ collection }: { collection: Collection }) {
  const { method, path } = restCall('POST /api/collections/{name}/documents/import', collection);
  const code = curlCommand({
    method,
    url: `${window.location.origin}${path}`,
    headers: { 'X-API-Key': 'YOUR_API_KEY', 'Content-Type': 'application/x-ndjson' },
    file: 'documents.ndjson',
  });
  return <Snippet title="Or from a terminal" code={code} />;
}
