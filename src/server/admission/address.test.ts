import { expect, test } from 'vitest';
import { addressGroup, addressNetwork, addressRange, networkOfGroup } from './address.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s counts as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

test.each([
  ['203.0.113.9:52011', '203.0.113.9'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  [' 203.0.113.9 ', '203.0.113.9'],
])('the port behind %s is taken off', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

test.each([
  ['mapped', '::ffff:203.0.113.9'],
  ['mapped, in hexadecimal', '::ffff:cb00:7109'],
  ['mapped, written out', '0:0:0:0:0:FFFF:CB00:7109'],
  ['by NAT64', '64:ff9b::203.0.113.9'],
  ['by NAT64, in hexadecimal', '64:ff9b::cb00:7109'],
  ['by 6to4', '2002:cb00:7109:5::1'],
])('an IPv4 address within an IPv6 one is itself: %s', (_, address) => {
  expect(addressGroup(address)).toBe('203.0.113.9');
});

test('what is no address does not grow', () => {
  expect(addressGroup('x'.repeat(10_000))).toHaveLength(64);
});

test.each([
  ['203.0.113.9:443', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2::1', '2001:db8:1::/48'],
  ['2001:db8:1:3::1', '2001:db8:1::/48'],
])('%s is in the network %s', (address, network) => {
  expect(addressNetwork(address)).toBe(network);
});

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.0/24'],
  ['2001:db8:1:2::1', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('%s is in the range %s', (address, range) => {
  expect(addressRange(address)).toBe(range);
});

test.each(['2001:db8:1:2::1', '::1', 'fe80::1%eth0', '203.0.113.9', 'unknown', '', 'x'.repeat(10_000)])(
  'the network of %s can be told by its group',
  (address) => {
    const group = addressGroup(address);
    const network = addressNetwork(address);
    expect(networkOfGroup(group)).toBe(network === group ? null : network);
    if (network !== group) expect(networkOfGroup(`${group} for more`)).toBe(`${network} for more`);
  },
);
