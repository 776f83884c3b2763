import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '#server/errors.ts';
import { hmacOf } from './hmac.ts';

/** AES-256-GCM with the application secret; `binding` is authenticated, so that a ciphertext moved to another row fails. */
export interface SecretBox {
  seal(plaintext: string, binding: string): Uint8Array;
  /** @throws AppError UNPROCESSABLE saying why (another secret, another row, damaged) */
  open(sealed: Uint8Array, binding: string): string;
  /** A signature (HMAC-SHA-256, base64url) that only this server can make, for what is handed out and comes back. */
  sign(purpose: string, text: string): string;
}

/** Layout of what is sealed: version byte, nonce, ciphertext, tag. The version is authenticated together with the binding. */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

export function createSecretBox(secret: string): SecretBox {
  const key = new Uint8Array(hkdfSync('sha256', secret, 'vectora', 'api-keys:aes-256-gcm:v1', 32));
  /** By purpose, of which there are a few. */
  const signatures = new Map<string, (text: string) => string>();
  const signatureFor = (purpose: string) => {
    const made = signatures.get(purpose);
    if (made) return made;
    const key = new Uint8Array(hkdfSync('sha256', secret, 'vectora', `${purpose}:hmac-sha256:v1`, 32));
    const signature = hmacOf(key);
    signatures.set(purpose, signature);
    return signature;
  };
  const additionalData = (binding: string) => Buffer.from(`${version}:${binding}`);
  return {
    seal(plaintext, binding) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(additionalData(binding));
      const body = [cipher.update(plaintext, 'utf8'), cipher.final()];
      return new Uint8Array(Buffer.concat([Buffer.of(version), nonce, ...body, cipher.getAuthTag()]));
    },
    open(sealed, binding) {
      if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes) {
        throw new AppError('UNPROCESSABLE', 'This secret is damaged or was stored by a newer version');
      }
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(additionalData(binding));
      decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
      try {
        const body = decipher.update(sealed.subarray(1 + nonceBytes, sealed.length - tagBytes));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new AppError(
          'UNPROCESSABLE',
          'This secret cannot be decrypted: APP_SECRET is not the one it was stored with, or its row was changed',
          { cause },
        );
      }
    },
    sign: (purpose, text) => signatureFor(purpose)(text),
  };
}
