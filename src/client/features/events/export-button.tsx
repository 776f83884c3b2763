import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { downloadIcon, xIcon } from '#client/components/display/icon-shapes.gen.ts';
import { download } from '#client/lib/download.ts';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatNumber } from '#client/lib/format.ts';
import { toast } from '#client/lib/toast.ts';
import { heldFeed } from './event-feed.ts';
import type { LoadedFeed } from './use-event-feed.ts';

interface ExportButtonProps {
  feed: LoadedFeed;
  pausedAt: number | null;
  isDisabled: boolean;
}

type Format = 'json' | 'csv';

/** Saves what the filters leave of all events that are kept; what is not loaded is loaded first, and can be given up. */
export function ExportButton({ feed, pausedAt, isDisabled }: ExportButtonProps) {
  const [running, setRunning] = useState<{ stop: AbortController; loaded: number } | null>(null);
  const save = async (format: Format) => {
    const stop = new AbortController();
    setRunning({ stop, loaded: 0 });
    try {
      const { events } = await feed.loadAll(stop.signal, (loaded) => setRunning({ stop, loaded }));
      const { shown } = heldFeed(events, pausedAt);
      const { eventsCsv, eventsJson } = await import('./export-events.ts');
      const name = `events-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.${format}`;
      if (format === 'csv') download(name, eventsCsv(shown), 'text/csv');
      else download(name, eventsJson(shown), 'application/json');
      toast({ title: 'Events exported', description: `${formatNumber(shown.length)} events in ${name}` });
    } catch (error) {
      if (!stop.signal.aborted)
        toast({ title: 'Export failed', description: errorMessage(error, 'Try again'), kind: 'error' });
    } finally {
      setRunning(null);
    }
  };
  if (running)
    return (
      <Button
        variant="default"
        leftSection={<Icon shape={xIcon} />}
        onClick={() => running.stop.abort(new Error('The export was cancelled'))}
      >
        Cancel export · {formatNumber(running.loaded)}
      </Button>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" disabled={isDisabled} leftSection={<Icon shape={downloadIcon} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save('csv')}>As CSV</Menu.Item>
        <Menu.Item onClick={() => save('json')}>As JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
