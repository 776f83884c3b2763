import { isIPv4, isIPv6 } from 'node:net';

/** Longer than any address; what is no address at all is cut to it. */
const charactersMax = 64;

/**
 * What the throttles count as one address: an IPv4 address, or an IPv6 /64, which is what one customer is given. A port behind it, as
 * some proxies write it, is taken off. An IPv4 address within an IPv6 one (mapped, NAT64, 6to4) is the IPv4 address.
 */
export function addressGroup(address: string): string {
  return prefixOf(address, 64);
}

/** Who may have many address groups: an IPv4 address, which is the same, or an IPv6 /48, which is what one site is given. */
export function addressNetwork(address: string): string {
  return prefixOf(address, 48);
}

/** What an address is counted as where many share: the widest first. */
export function addressNames(address: string): string[] {
  return [addressNetwork(address), addressGroup(address)];
}

/** An IPv6 /48 may do as much as so many of its address groups. */
export const groupsPerNetwork = 8;

/** The network of an address group, or of what is counted for one: a name that begins with it. Null: the group is a network itself. */
export function networkOfGroup(name: string): string | null {
  const [, start, more] = /^((?:[\da-f]+:){3})[\da-f]+::\/64(.*)$/s.exec(name) ?? [];
  return start === undefined ? null : `${start}:/48${more}`;
}

/** Whose addresses one provider gives out: an IPv4 /24, an IPv6 /48. */
export function addressRange(address: string): string {
  const network = addressNetwork(address);
  return isIPv4(network) ? `${network.slice(0, network.lastIndexOf('.'))}.0/24` : network;
}

function prefixOf(address: string, bits: 48 | 64): string {
  const plain = withoutPort(address.trim()).split('%', 1)[0] ?? '';
  if (!isIPv6(plain)) return plain.toLowerCase().slice(0, charactersMax);
  const groups = groupsOf(plain);
  const inner = innerV4(groups);
  if (inner) return inner.flatMap((group) => [group >> 8, group & 0xff]).join('.');
  const network = groups.slice(0, bits / 16).map((group) => group.toString(16));
  return `${network.join(':')}::/${bits}`;
}

function withoutPort(address: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$/.exec(address) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address);
  return match?.[1] ?? address;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  // A URL has it in hexadecimal alone, also where it ended in an IPv4 address.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = [], right = []] = text.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

/** The two numbers that hold an IPv4 address. */
function innerV4(groups: number[]): number[] | null {
  const startsWith = (...start: number[]) => start.every((group, place) => groups[place] === group);
  const isMapped = startsWith(0, 0, 0, 0, 0, 0xffff);
  const isNat64 = startsWith(0x64, 0xff9b, 0, 0, 0, 0);
  if (isMapped || isNat64) return groups.slice(6);
  return startsWith(0x2002) ? groups.slice(1, 3) : null;
}
