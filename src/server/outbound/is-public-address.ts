import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { addressGroup } from '#server/admission/address.ts';

/** What IANA's registries of special-purpose addresses keep from the public Internet, and where clouds tell a machine its secrets. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's machine service, an address of the public Internet by its number alone.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Of IPv6 only 2000::/3 is given out; these are set apart in it. */
const global6 = '2000::/3';
const special6 = ['2001::/23', '2001:db8::/32', '3fff::/20'];

const closed4 = listOf(special4, 'ipv4');
const closed6 = listOf(special6, 'ipv6');
const open6 = listOf([global6], 'ipv6');

function listOf(networks: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether an IP address is one of the public Internet. An IPv4 address within an IPv6 one (mapped, NAT64, 6to4) is the IPv4 address. */
export function isPublicAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1);
  if (isIPv4(plain)) return !closed4.check(plain, 'ipv4');
  if (!isIPv6(plain)) return false;
  const inner = addressGroup(plain);
  if (isIPv4(inner)) return isPublicAddress(inner);
  return open6.check(plain, 'ipv6') && !closed6.check(plain, 'ipv6');
}
