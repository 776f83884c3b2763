/**
 * What a promise comes to, unless it takes longer than this. A process that was held up itself looks first at what has come meanwhile.
 * @throws what `late` makes, and what the promise rejects with
 */
export async function within<T>(promise: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let afterInput: NodeJS.Immediate | undefined;
  const isLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      afterInput = setImmediate(() => reject(late()));
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, isLate]);
  } finally {
    clearTimeout(timer);
    clearImmediate(afterInput);
  }
}
