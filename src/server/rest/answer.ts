import type { AnswerKind } from '#server/rpc/procedure-meta.ts';
import { type Answer, jsonAnswer } from '#server/wire/answer.ts';

/** What a procedure's output becomes over REST, and the statuses a success can have. */
export const answers: Record<AnswerKind, { statuses: number[]; answer: (output: unknown) => Answer }> = {
  ok: { statuses: [200], answer: (output) => jsonAnswer(output) },
  /** One page of a list, whose length the procedure has told with `ctx.noteTotal`. */
  page: { statuses: [200], answer: (output) => jsonAnswer(output) },
  created: { statuses: [201], answer: (output) => jsonAnswer(output, 201) },
  /** A document that was written: 201 when it is new. */
  written: {
    statuses: [200, 201],
    answer(output) {
      const { document, created } = output as { document: unknown; created: boolean };
      return jsonAnswer(document, created ? 201 : 200);
    },
  },
  /** JSON, unless the caller wants it event by event. */
  events: { statuses: [200], answer: (output) => jsonAnswer(output) },
  /** Who is signed in: 401 when nobody is. */
  user: {
    statuses: [200, 401],
    answer(output) {
      const { user } = output as { user: unknown };
      if (user !== null) return jsonAnswer({ user });
      const nobody = jsonAnswer({ user, message: 'Nobody is signed in' }, 401);
      return { ...nobody, headers: { ...nobody.headers, 'WWW-Authenticate': 'Bearer' } };
    },
  },
};
