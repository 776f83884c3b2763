/** Runs all of them, one after the other, whatever becomes of those before. @throws the first error, once all have run */
export async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closers) await close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
