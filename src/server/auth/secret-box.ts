/** AES-256-GCM with the application secret; `binding` is authenticated, so that a ciphertext moved to another row fails. */
export interface SecretBox {
  seal(plaintext: string, binding: string): Uint8Array;
  /** @throws AppError UNPROCESSABLE saying why (another secret, another row, damaged) */
  open(sealed: Uint8Array, binding: string): string;
}
