import type { Answer } from '#server/wire/answer.ts';

/** The same answer; `onEnd` hears when it is out as far as this server goes: at once, or once its stream was read, broke off or was given up. */
export function untilRead(answer: Answer, onEnd: () => void): Answer {
  const { body } = answer;
  if (!(body instanceof ReadableStream)) {
    onEnd();
    return answer;
  }
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
