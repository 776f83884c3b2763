import { Suspense, useState } from 'react';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { useLast } from '#client/lib/use-last.ts';
import type { Webhook } from '#shared/webhooks.ts';
import { DeleteWebhookDialog } from './delete-webhook-dialog.tsx';
import { WebhooksPanel } from './webhooks-panel.tsx';

/** Fetched after the page is painted: its schema weighs more than the page. */
const WebhookDialog = lazyPart(async () => ({
  default: (await import('./webhook-dialog.tsx')).WebhookDialog,
}));

/** What is being done: a webhook is made, edited or deleted. */
type Asked = { kind: 'new' } | { kind: 'edit'; webhook: Webhook } | { kind: 'delete'; webhook: Webhook };

/** For admins: where the workspace's alerts are sent. */
export function WebhooksSection({ workspaceId }: { workspaceId: number }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const shown = useLast(asked);
  const close = () => setAsked(null);
  return (
    <>
      <WebhooksPanel
        workspaceId={workspaceId}
        onNew={() => setAsked({ kind: 'new' })}
        onEdit={(webhook) => setAsked({ kind: 'edit', webhook })}
        onDelete={(webhook) => setAsked({ kind: 'delete', webhook })}
      />
      <Suspense>
        <WebhookDialog
          opened={asked?.kind === 'new' || asked?.kind === 'edit'}
          workspaceId={workspaceId}
          webhook={shown?.kind === 'edit' ? shown.webhook : null}
          onClose={close}
        />
      </Suspense>
      <DeleteWebhookDialog webhook={asked?.kind === 'delete' ? asked.webhook : null} onClose={close} />
    </>
  );
}
