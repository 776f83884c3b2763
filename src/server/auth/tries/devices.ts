import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secrets/secret-box.ts';

/**
 * Browsers that have signed in to an account before: tries from them do not count among those of strangers, so that no flood of those shuts
 * the owner out. The cookie signs nobody in. It holds a name of the device for each account, signed together with the account's email.
 * (OWASP, "Slow Down Online Guessing Attacks with Device Cookies".)
 */
export interface Devices {
  /** The device's name where it has signed in to this account. */
  recognise(cookieValue: string | null | undefined, emailKey: string): string | null;
  /** A name for the account that it signed in to last, of whatever device; null: the cookie was made up. */
  accountName(cookieValue: string | null | undefined): string | null;
  /** The cookie's value after signing in; what it says of other accounts stays. */
  issue(cookieValue: string | null | undefined, emailKey: string): string;
}

const nameBytes = 16;
const markPattern = /^([A-Za-z0-9_-]{22})([A-Za-z0-9_-]{43})$/;
/** Behind the marks: the account's name, and a signature of all before it. */
const endPattern = /^(.+\.([A-Za-z0-9_-]{22}))([A-Za-z0-9_-]{22})$/;
const endCharacters = 22;
/** Accounts that one browser is remembered for. */
const accountsMax = 5;
/** Of all that a cookie says. */
const charactersMax = 400;

export function createDevices(secrets: Pick<SecretBox, 'sign'>): Devices {
  const sign = (name: string, emailKey: string) => secrets.sign('devices', `${name}:${emailKey}`);
  const endOf = (purpose: string, text: string) => secrets.sign(purpose, text).slice(0, endCharacters);

  function nameOf(mark: string, emailKey: string): string | null {
    const [, name, signature] = markPattern.exec(mark) ?? [];
    if (name === undefined || signature === undefined) return null;
    return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(name, emailKey))) ? name : null;
  }

  return {
    recognise(cookieValue, emailKey) {
      for (const mark of marksOf(cookieValue)) {
        const name = nameOf(mark, emailKey);
        if (name !== null) return name;
      }
      return null;
    },
    accountName(cookieValue) {
      if (!cookieValue || cookieValue.length > charactersMax) return null;
      const [, signed = '', account = '', signature = ''] = endPattern.exec(cookieValue) ?? [];
      if (signature === '') return null;
      return timingSafeEqual(Buffer.from(signature), Buffer.from(endOf('device cookies', signed)))
        ? account
        : null;
    },
    issue(cookieValue, emailKey) {
      const marks = marksOf(cookieValue);
      const former = marks.find((mark) => nameOf(mark, emailKey) !== null);
      const name = randomBytes(nameBytes).toString('base64url');
      const own = former ?? `${name}${sign(name, emailKey)}`;
      const others = marks.filter((mark) => mark !== own);
      const known = [own, ...others].slice(0, accountsMax).join('.');
      const signed = `${known}.${endOf('accounts of devices', emailKey)}`;
      return `${signed}${endOf('device cookies', signed)}`;
    },
  };
}

function marksOf(cookieValue: string | null | undefined): string[] {
  const marks = cookieValue?.split('.', accountsMax) ?? [];
  return marks.filter((mark) => markPattern.test(mark));
}
