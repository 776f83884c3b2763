import { addressGroup, addressNetwork } from '#server/admission/address.ts';
import { CountedLines } from '#server/counted-lines.ts';
import { cutText, type Log, type LogFields } from '#server/log.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { Actor } from './audit-entry.ts';

export interface RejectionLine {
  requestId: string;
  action: string;
  code: ErrorCode;
  reason: string;
  actor: Actor;
  workspaceId: number | null;
  address: string;
}

/** It may quote what was sent. */
const reasonCharactersMax = 400;
/** Behind a proxy it is what the header says. */
const addressCharactersMax = 64;

/** The lines of the log about who is refused, see `CountedLines`: so a flood does not fill the log, and is not made dearer by it. */
export class RejectionLines {
  readonly #lines: CountedLines;

  constructor(log: Log) {
    this.#lines = new CountedLines(log, 'refused');
  }

  /** @returns how often the caller was refused before within this second */
  note({ requestId, ...line }: RejectionLine): number {
    const { action, code, actor, address } = line;
    const who = `${actor.kind} ${actor.id ?? actor.name ?? ''}`.trim();
    const group = addressNetwork(address);
    const name = `${action} ${code} ${who} ${addressGroup(address)}`;
    return this.#lines.note({ name, group, kind: code, requestId, fields: fieldsOf(line, who) });
  }

  flush(): void {
    this.#lines.flush();
  }

  stop(): void {
    this.#lines.stop();
  }
}

function fieldsOf({ reason, address, ...line }: Omit<RejectionLine, 'requestId'>, actor: string): LogFields {
  return {
    ...line,
    reason: cutText(reason, reasonCharactersMax),
    address: cutText(address, addressCharactersMax),
    actor,
  };
}
