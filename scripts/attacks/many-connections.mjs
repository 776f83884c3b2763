/**
 * Connections over which nothing is asked, more than there may be: from one address, then from many. No address gets more than its share, and whoever asks for something is
 * served all the while, on a connection that was there and on new ones. Linux only: all of 127.0.0.0/8 is this machine.
 *
 *   node scripts/attacks/many-connections.mjs [connections that the server may have]
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { createBystander, judgeSlowest, searchesBeside } from './bystander.mjs';
import { print, withTarget } from './target.mjs';
import { judge, judgeAtMost, tally } from './verdict.mjs';

const [connectionsMax = 2_000] = process.argv.slice(2).map(Number);
const perAddress = connectionsMax / 10;
const newcomers = 20;

await withTarget(
  async (target) => {
    const bystander = await createBystander(target);
    const { hostname, port } = new URL(target.url);
    const open = async (localAddress) => {
      const socket = connect({ port: Number(port), host: hostname, localAddress });
      socket.on('error', () => undefined);
      // Without it nobody hears that the server hangs up.
      socket.resume();
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
      return socket;
    };
    const openMany = (count, localAddress) =>
      Promise.all(Array.from({ length: count }, () => open(localAddress)));
    /** A request on a connection of its own. */
    const ask = async (localAddress) => {
      const socket = await open(localAddress);
      socket.write(`GET /health HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
      const [first] = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => []);
      socket.destroy();
      return String(first ?? '').slice(9, 12) || 'closed';
    };

    const floods = {
      'from one address': () => openMany(3 * perAddress, '127.0.0.2'),
      'from many addresses of one network': async () => {
        const all = [];
        for (let i = 0; i < 12; i += 1) all.push(...(await openMany(perAddress, `127.2.0.${i + 1}`)));
        return all;
      },
      'from twelve networks': async () => {
        const all = [];
        for (let i = 0; i < 12; i += 1) all.push(...(await openMany(perAddress, `127.1.${i + 1}.1`)));
        return all;
      },
    };
    for (const [name, flood] of Object.entries(floods)) {
      const searches = await searchesBeside(bystander, async () => {
        const sockets = await flood();
        const answers = [];
        for (let i = 0; i < newcomers; i += 1) answers.push(await ask(`127.0.2.${i + 1}`));
        return { sockets, answers };
      });
      const { result } = searches;
      const left = result.sockets.filter((socket) => !socket.destroyed).length;
      print(`${name}: ${result.sockets.length} connections, of which ${left} are open after it`);
      const most =
        { 'from one address': perAddress, 'from twelve networks': connectionsMax }[name] ?? 2 * perAddress;
      judgeAtMost(`${name}: connections that stay`, most, left, 'of them');
      judge(`${name}: newcomers from elsewhere`, {
        expected: '200 always',
        found: tally(result.answers),
        isFine: result.answers.every((status) => status === '200'),
      });
      judgeSlowest(name, searches);
      for (const socket of result.sockets) socket.destroy();
    }
  },
  { MAX_CONNECTIONS: String(connectionsMax) },
);
