import os from 'node:os';
import type { RecordStore } from '#server/db/client.ts';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import { HostSeries } from './host-series.ts';
import { RequestSeries } from './request-series.ts';
import { startRollUp } from './roll-up.ts';
import { SearchMinutes } from './search-minutes.ts';

/** What is measured of requests, searches and the machine, over time. */
export interface Monitoring {
  readonly requests: RequestSeries;
  readonly searches: SearchMinutes;
  readonly host: HostSeries;
  /** From where open connections are counted; none is until it is told. */
  watchConnections(countOpen: () => number): void;
  stop(): Promise<void>;
}

interface MonitoringParts {
  record: RecordStore;
  log: Log;
  clock: () => Date;
  settings: Pick<Settings, 'dataDir' | 'port'>;
  /** Open streams of changes. */
  countStreams: () => number;
}

const serverCharactersMax = 200;

export function createMonitoring({ settings, countStreams, ...parts }: MonitoringParts): Monitoring {
  let countOpen = () => 0;
  const requests = new RequestSeries(parts);
  const searches = new SearchMinutes(parts);
  const host = new HostSeries({
    ...parts,
    dataDir: settings.dataDir,
    server: `${os.hostname()}:${settings.port}`.slice(-serverCharactersMax),
    countConnections: () => ({ all: countOpen(), live: countStreams() }),
  });
  const rolling = startRollUp(parts);
  host.start();
  return {
    requests,
    searches,
    host,
    watchConnections(given) {
      countOpen = given;
    },
    async stop() {
      await rolling.stop();
      for (const part of [host, searches, requests]) await part.stop();
    },
  };
}
