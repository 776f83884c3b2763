import type { Admission } from './admission.ts';
import type { Ticket } from './gate.ts';
import type { Requester } from './requester.ts';

/** A request that was let in one way and may go on in another. */
export interface MovableTicket extends Ticket {
  /** From now on it is at work there. @throws AppError as `Gate.enter`; it stays where it was then */
  moveTo(way: keyof Admission): void;
}

/** @throws AppError as `Gate.enter` */
export function enterMovable(
  admission: Admission,
  way: keyof Admission,
  requester: Requester,
): MovableTicket {
  let ticket = admission[way].enter(requester);
  let isOver = false;
  return {
    begin: () => ticket.begin(),
    pause: () => ticket.pause(),
    leave() {
      isOver = true;
      ticket.leave();
    },
    moveTo(next) {
      if (isOver) return;
      const moved = admission[next].enter(requester);
      moved.begin();
      ticket.leave();
      ticket = moved;
    },
  };
}
