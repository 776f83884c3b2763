import { Button, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core';
import { formatBytes } from '#client/lib/format.ts';
import type { UploadProgress } from './send-upload.ts';

interface UploadProgressViewProps {
  file: File;
  progress: UploadProgress;
  onCancel: () => void;
}

/** Bytes that have really been sent; then the server works on the last of them. */
export function UploadProgressView({ file, progress, onCancel }: UploadProgressViewProps) {
  const { sentBytes, totalBytes } = progress;
  const percent = totalBytes === 0 ? 100 : Math.min(100, (sentBytes / totalBytes) * 100);
  const isSent = sentBytes >= totalBytes;
  // A screen reader hears four updates, not one a packet.
  const quarter = Math.floor(percent / 25) * 25;
  return (
    <Stack>
      <div>
        <Text fw={600} size="sm" truncate title={file.name}>
          {file.name}
        </Text>
        <Text size="sm" c="dimmed">
          {isSent
            ? `${formatBytes(totalBytes)} sent. Embedding and indexing the last documents…`
            : `${formatBytes(sentBytes)} of ${formatBytes(totalBytes)} sent`}
        </Text>
      </div>
      <Progress value={percent} animated={isSent} aria-label="Upload" />
      <VisuallyHidden role="status">
        {isSent ? 'Everything sent, the server is indexing.' : quarter > 0 ? `${quarter} percent sent` : ''}
      </VisuallyHidden>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel upload
        </Button>
      </Group>
    </Stack>
  );
}
