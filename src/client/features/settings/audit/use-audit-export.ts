import { useEffect, useRef, useState } from 'react';
import { download } from '#client/lib/download.ts';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatNumber } from '#client/lib/format.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { type AuditFormat, auditFile } from './audit-file.ts';
import { readAllEntries } from './read-all-entries.ts';
import type { AuditChosen } from './use-audit-entries.ts';

/** `entries`: how many there are by now of an export under way; null: none is. Leaving the page ends it. */
export function useAuditExport(chosen: AuditChosen) {
  const { client } = trpc.useUtils();
  const [entries, setEntries] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (format: AuditFormat) => {
    const controller = new AbortController();
    running.current = controller;
    setEntries(0);
    try {
      const { signal } = controller;
      const list = (input: Parameters<typeof client.auditEntries.list.query>[0]) =>
        client.auditEntries.list.query(input, { signal });
      const all = await readAllEntries({ list, chosen, onProgress: setEntries });
      if (signal.aborted) return;
      const { name, content, type } = auditFile(all, format);
      download(name, content, type);
      toast({ title: 'Audit log exported', description: `${formatNumber(all.length)} entries` });
    } catch (error) {
      if (!controller.signal.aborted)
        toast({ title: 'Nothing was exported', description: errorMessage(error), kind: 'error' });
    } finally {
      if (running.current === controller) {
        running.current = null;
        setEntries(null);
      }
    }
  };
  return {
    entries,
    start: (format: AuditFormat) => void start(format),
    cancel: () => running.current?.abort(),
  };
}
