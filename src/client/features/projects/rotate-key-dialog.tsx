import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { Select } from '#client/components/later/select.tsx';
import { formatDateTime, formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useLast } from '#client/lib/use-last.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import { KeyRotated } from './key-rotated.tsx';
import { livingFormer } from './living-former.ts';

interface RotateKeyDialogProps {
  /** `null` while none is to be rotated. */
  apiKey: ApiKey | null;
  onClose: () => void;
}

/** How long the present value works beside the new one, in hours. */
const graces = [
  { value: 0, label: 'Not at all: it ends at once' },
  { value: 1, label: 'For an hour' },
  { value: 24, label: 'For a day' },
  { value: 72, label: 'For 3 days' },
  { value: 168, label: 'For 7 days' },
];

export function RotateKeyDialog({ apiKey, onClose }: RotateKeyDialogProps) {
  const shown = useLast(apiKey);
  return (
    <Dialog opened={apiKey !== null} onClose={onClose} title={`Rotate ${shown?.name ?? 'API key'}`}>
      {shown && <Steps apiKey={shown} onClose={onClose} />}
    </Dialog>
  );
}

interface StepProps {
  apiKey: ApiKey;
  onClose: () => void;
}

/** Inside the modal, so that the new value is gone when it closes. */
function Steps({ apiKey, onClose }: StepProps) {
  const [rotated, setRotated] = useState<ApiKey | null>(null);
  if (rotated) return <KeyRotated apiKey={rotated} onClose={onClose} />;
  return <RotateForm apiKey={apiKey} onRotated={setRotated} onClose={onClose} />;
}

function RotateForm({ apiKey, onRotated, onClose }: StepProps & { onRotated: (apiKey: ApiKey) => void }) {
  const [graceHours, setGraceHours] = useState(24);
  const rotate = trpc.apiKeys.rotate.useMutation({
    meta: { changes: 'apiKeys' },
    // The answer holds the whole key.
    gcTime: 0,
    onSuccess: onRotated,
  });
  const send = useOnce(rotate.mutateAsync);
  const former = livingFormer(apiKey);
  const { requestsLast24h } = apiKey;
  return (
    <DialogForm
      submitLabel="Rotate API key"
      isPending={rotate.isPending}
      error={rotate.error}
      fallback="The API key was not rotated"
      obstacle={
        former &&
        `Its former value, …${former.lastFour}, still works until ${formatDateTime(former.until)}. End that first: a third value would cut off whoever still sends the first.`
      }
      onSubmit={(event) => {
        event.preventDefault();
        send({ id: apiKey.id, graceHours });
      }}
      onCancel={onClose}
    >
      <Stack gap="md">
        <Text size="sm">
          The key gets a new value. Its name, permissions, limits and counts stay.
          {requestsLast24h > 0 &&
            ` It sent ${formatNumber(requestsLast24h)} ${requestsLast24h === 1 ? 'request' : 'requests'} in the last 24 hours.`}
        </Text>
        <Select
          label="The present value goes on"
          description={
            graceHours === 0
              ? 'For a key that has leaked. Whatever sends it is refused from that moment on.'
              : 'Put the new value everywhere within this time. The present one can be ended before.'
          }
          allowDeselect={false}
          data={graces}
          value={graceHours}
          onChange={(hours) => hours !== null && setGraceHours(hours)}
        />
      </Stack>
    </DialogForm>
  );
}
