import { useEffect, useRef, useState } from 'react';
import { download } from '#client/lib/download.ts';
import { errorMessage } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useAskBeforeLeaving } from '#client/lib/use-ask-before-leaving.ts';
import type { User } from '#shared/accounts.ts';
import type { ExportProgress } from './export-account.ts';

export type AccountExport =
  | { state: 'idle' }
  | { state: 'running'; progress: ExportProgress | null }
  | { state: 'saved'; bytes: number; collections: number }
  | { state: 'failed'; message: string };

/** Leaving the page ends it. */
export function useAccountExport(user: User) {
  const { client } = trpc.useUtils();
  const [current, setCurrent] = useState<AccountExport>({ state: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  useAskBeforeLeaving(current.state === 'running');
  const start = async () => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    let collections = 0;
    setCurrent({ state: 'running', progress: null });
    try {
      const { exportAccount } = await import('./export-account.ts');
      const onProgress = (progress: ExportProgress) => {
        collections = progress.of;
        if (!signal.aborted) setCurrent({ state: 'running', progress });
      };
      const archive = await exportAccount({ client, user, signal, onProgress });
      download(`vectora-export-${new Date().toISOString().slice(0, 10)}.zip`, archive, 'application/zip');
      setCurrent({ state: 'saved', bytes: archive.size, collections });
    } catch (error) {
      if (signal.aborted) setCurrent({ state: 'idle' });
      else
        setCurrent({
          state: 'failed',
          message: `Nothing was saved: ${errorMessage(error, 'the export broke off')}`,
        });
    } finally {
      if (running.current === controller) running.current = null;
    }
  };
  return { current, start: () => void start(), cancel: () => running.current?.abort() };
}
