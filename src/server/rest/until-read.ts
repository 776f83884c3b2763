import type { Answer } from '#server/wire/answer.ts';

interface Reader {
  onEnd: () => void;
  /** That the caller is gone. */
  signal: AbortSignal;
}

/** The same answer; `onEnd` hears when it is out as far as this server goes: at once, or once its stream was read, broke off or was given up, or nobody is there to read it. */
export function untilRead(answer: Answer, { onEnd, signal }: Reader): Answer {
  const { body } = answer;
  if (!(body instanceof ReadableStream)) {
    onEnd();
    return answer;
  }
  if (signal.aborted) onEnd();
  else signal.addEventListener('abort', onEnd, { once: true });
  const reader = body.getReader();
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          onEnd();
          controller.close();
        } catch (error) {
          onEnd();
          controller.error(error);
        }
      },
      async cancel(reason) {
        onEnd();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return { ...answer, body: watched };
}
