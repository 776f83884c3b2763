import { type PointerEvent, useRef, useState } from 'react';
import type { Spot } from './pick-points.ts';

export type PointerMode = 'move' | 'lasso';

interface PointerHandlers {
  mode: PointerMode;
  onHover: (spot: Spot | null, isTouch: boolean) => void;
  onPress: (spot: Spot, isTouch: boolean) => void;
  onPan: (x: number, y: number) => void;
  onZoom: (by: number, at: Spot) => void;
  onLasso: (line: Spot[]) => void;
}

/** A shorter way is a press. */
const movedMin = 4;

/** What is done with pointers: one presses, moves the map or draws a line around points (with Shift, too), two of them zoom. */
export function usePointer({ mode, onHover, onPress, onPan, onZoom, onLasso }: PointerHandlers) {
  const [line, setLine] = useState<Spot[]>([]);
  const down = useRef(new Map<number, Spot>());
  const start = useRef<{ spot: Spot; isLasso: boolean; isMoved: boolean } | null>(null);

  const end = (event: PointerEvent<HTMLElement>, isPressed: boolean) => {
    down.current.delete(event.pointerId);
    const began = start.current;
    if (down.current.size > 0 || began === null) return;
    start.current = null;
    if (isPressed && !began.isMoved) onPress(spotOf(event), event.pointerType === 'touch');
    else if (isPressed && began.isLasso) onLasso(line);
    setLine([]);
  };

  return {
    line,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        const spot = spotOf(event);
        event.currentTarget.setPointerCapture(event.pointerId);
        down.current.set(event.pointerId, spot);
        if (down.current.size > 1) {
          setLine([]);
          start.current = { spot, isLasso: false, isMoved: true };
        } else start.current = { spot, isLasso: mode === 'lasso' || event.shiftKey, isMoved: false };
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const spot = spotOf(event);
        const before = down.current.get(event.pointerId);
        const began = start.current;
        if (!before || !began) return onHover(spot, event.pointerType === 'touch');
        began.isMoved ||= distance(began.spot, spot) >= movedMin;
        if (!began.isMoved) return;
        const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
        down.current.set(event.pointerId, spot);
        if (other) {
          const middle = { x: (spot.x + other.x) / 2, y: (spot.y + other.y) / 2 };
          onZoom(distance(spot, other) / Math.max(1, distance(before, other)), middle);
        } else if (began.isLasso) setLine((drawn) => [...(drawn.length > 0 ? drawn : [began.spot]), spot]);
        else onPan(spot.x - before.x, spot.y - before.y);
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => end(event, true),
      onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event, false),
      onPointerLeave: (event: PointerEvent<HTMLElement>) => onHover(null, event.pointerType === 'touch'),
    },
  };
}

function spotOf(event: PointerEvent<HTMLElement>): Spot {
  const { left, top } = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

function distance(a: Spot, b: Spot): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
