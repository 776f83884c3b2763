import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of loopback on which nobody listens at the moment: any, or the one asked for. @throws EADDRINUSE when that one is taken */
export async function freePort(wanted = 0): Promise<number> {
  const probe = createServer().listen(wanted, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port was given');
  return address.port;
}
