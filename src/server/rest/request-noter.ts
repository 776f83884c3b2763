import type { Context, DoneRequest } from '#server/rpc/context.ts';

/**
 * Lists the call among the requests of its workspace, with the status that was answered: once it is over and answered, whichever comes last, since a
 * stream's head goes out before its end. Null: it failed, as the call says.
 */
export function requestNoter({ deps }: Context, since: number) {
  let done: DoneRequest | null = null;
  let status: { answered: number | null } | null = null;
  const note = () => {
    if (done === null || status === null) return;
    const { workspaceId, toRequest } = done;
    const answer = { status: status.answered ?? done.status, tookMs: performance.now() - since };
    deps.requestLog.note(workspaceId, () => toRequest(answer));
  };
  return {
    noteRequest(request: DoneRequest) {
      done = request;
      note();
    },
    answered(given: number | null) {
      status = { answered: given };
      note();
    },
  };
}
