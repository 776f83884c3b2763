import { Suspense, useState } from 'react';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import { ApiKeyRow } from './api-key-row.tsx';
import { DeleteKeyDialog } from './delete-key-dialog.tsx';

const RotateKeyDialog = lazyPart(async () => ({
  default: (await import('./rotate-key-dialog.tsx')).RotateKeyDialog,
}));

interface ApiKeyTableProps {
  keys: ApiKey[];
  onRemove: (apiKey: ApiKey, onRemoved?: () => void) => void;
  removingId: number | null;
}

export function ApiKeyTable({ keys, onRemove, removingId }: ApiKeyTableProps) {
  const [toDelete, setToDelete] = useState<ApiKey | null>(null);
  const [toRotate, setToRotate] = useState<ApiKey | null>(null);
  return (
    <>
      <TablePanel
        minWidth={980}
        head={
          <>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Status</th>
            <th scope="col" data-right>
              Requests (24h)
            </th>
            <th scope="col">Last Used</th>
            <th scope="col">Expires</th>
            <May atLeast="admin">
              <th scope="col" data-right>
                Actions
              </th>
            </May>
          </>
        }
      >
        {keys.map((apiKey) => (
          <ApiKeyRow
            key={apiKey.id}
            apiKey={apiKey}
            isRemoving={apiKey.id === removingId}
            onRotate={() => setToRotate(apiKey)}
            onDelete={() => (apiKey.requestsLast24h > 0 ? setToDelete(apiKey) : onRemove(apiKey))}
          />
        ))}
      </TablePanel>
      <DeleteKeyDialog
        apiKey={toDelete}
        isPending={removingId !== null && removingId === toDelete?.id}
        onConfirm={(apiKey) => onRemove(apiKey, () => setToDelete(null))}
        onClose={() => setToDelete(null)}
      />
      <Suspense>
        <RotateKeyDialog apiKey={toRotate} onClose={() => setToRotate(null)} />
      </Suspense>
    </>
  );
}
