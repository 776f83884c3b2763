/**
 * Somebody tries to shut an account's owner out by guessing wrong, from one address and from many, behind a proxy that names them. The owner signs in all
 * the same: from anywhere else while one address guesses, from a known device whatever the others do, and in a new browser. The guesses are refused.
 *
 *   node scripts/attacks/lock-out.mjs
 */
import { withTarget } from './target.mjs';
import { judge, tally } from './verdict.mjs';

const guessesFromOne = 100;
const addresses = 150;
const expected = '200';

await withTarget(
  async (target) => {
    const owner = { email: target.email, password: target.password };
    const signIn = async (password, address, cookie = '') => {
      const response = await fetch(`${target.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address, cookie },
        body: JSON.stringify({ email: owner.email, password }),
      });
      await response.arrayBuffer();
      return response.status;
    };
    const guess = (address) => signIn(`wrong ${Math.random()}`, address);
    const judgeOwner = (how, found) =>
      judge(`the owner ${how}`, { expected, found, isFine: String(found) === expected });

    const fromOne = [];
    for (let i = 0; i < guessesFromOne; i += 1) fromOne.push(await guess('203.0.113.9'));
    const looked = fromOne.filter((status) => status === 401).length;
    judge('guesses from one address', {
      expected: 'nearly all 429',
      found: tally(fromOne),
      isFine: looked <= 20,
    });
    judgeOwner('from another address', await signIn(owner.password, '198.51.100.1'));

    const spellings = [
      '203.0.113.9:4711',
      '::ffff:203.0.113.9',
      '[::ffff:cb00:7109]:80',
      '64:ff9b::203.0.113.9',
    ];
    const respelled = [];
    for (const address of spellings) respelled.push(await guess(address));
    const counted = respelled.filter((status) => status === 401).length;
    judge('the same address spelled differently', {
      expected: 'one looked at, the others 429',
      found: tally(respelled),
      isFine: counted <= 1,
    });

    const fromMany = [];
    const guessFromMany = async () => {
      for (let i = 0; i < addresses; i += 1) fromMany.push(await guess(`2001:db8:${i.toString(16)}::1`));
    };
    for (let round = 0; round < 3; round += 1) await guessFromMany();
    const seen = fromMany.filter((status) => status === 401).length;
    judge('guesses from many addresses', {
      expected: 'most of them 429',
      found: tally(fromMany),
      isFine: seen <= fromMany.length / 2,
    });
    judgeOwner('in a new browser', await signIn(owner.password, '198.51.100.3'));
    judgeOwner(
      'on a device that has signed in before',
      await signIn(owner.password, '198.51.100.2', target.device),
    );
  },
  { TRUST_PROXY: '1' },
);
