import { ActionIcon, Tooltip } from '@mantine/core';
import { Icon, type IconShape } from '#client/components/display/icon.tsx';
import {
  arrowDownIcon,
  arrowUpIcon,
  eyeOffIcon,
  pinIcon,
  pinnedOffIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import classes from './preview-panel.module.css';
import type { PreviewHit } from './use-preview.ts';

/** What is said of a hit beside the other list. */
export interface Move {
  kind: 'same' | 'up' | 'down' | 'new' | 'gone';
  text: string;
}

/** What can be done to a hit of the list that is tried; absent: nothing. */
export interface HitActions {
  pin: (id: string, position: number) => void;
  unpin: (id: string) => void;
  leaveOut: (id: string) => void;
}

interface PreviewRowProps {
  hit: PreviewHit;
  /** From 1. */
  place: number;
  move: Move | null;
  actions: HitActions | undefined;
  isPointed: boolean;
  onPoint: (id: string | null) => void;
}

export function PreviewRow({ hit, place, move, actions, isPointed, onPoint }: PreviewRowProps) {
  return (
    <li
      className={classes['row']}
      data-pointed={isPointed || undefined}
      data-gone={move?.kind === 'gone' || undefined}
      onPointerEnter={() => onPoint(hit.id)}
      onPointerLeave={() => onPoint(null)}
    >
      <span className={classes['place']} aria-hidden="true">
        {place}
      </span>
      <div className={classes['words']}>
        <div className={classes['title']} dir="auto" title={hit.title}>
          {hit.title}
        </div>
        <div className={classes['move']} data-move={move?.kind}>
          {hit.note && <span className={classes['note']}>{hit.note}</span>}
          {hit.isPinned && <span>Pinned</span>}
          {move && move.kind !== 'same' ? (
            <span>{move.text}</span>
          ) : (
            !hit.isPinned && hit.score !== null && <span>{hit.score.toFixed(3)}</span>
          )}
        </div>
      </div>
      {actions && <RowActions {...{ hit, place, actions }} />}
    </li>
  );
}

function RowActions({ hit, place, actions }: { hit: PreviewHit; place: number; actions: HitActions }) {
  const { id, title, isPinned } = hit;
  return (
    <div className={classes['actions']}>
      {isPinned ? (
        <>
          {place > 1 && (
            <Action
              label="Pin one higher"
              of={title}
              icon={arrowUpIcon}
              onClick={() => actions.pin(id, place - 1)}
            />
          )}
          <Action
            label="Pin one lower"
            of={title}
            icon={arrowDownIcon}
            onClick={() => actions.pin(id, place + 1)}
          />
          <Action label="Unpin" of={title} icon={pinnedOffIcon} onClick={() => actions.unpin(id)} />
        </>
      ) : (
        <>
          {place > 1 && (
            <Action
              label="Pin one higher"
              of={title}
              icon={arrowUpIcon}
              onClick={() => actions.pin(id, place - 1)}
            />
          )}
          <Action label="Pin here" of={title} icon={pinIcon} onClick={() => actions.pin(id, place)} />
        </>
      )}
      <Action label="Leave out" of={title} icon={eyeOffIcon} onClick={() => actions.leaveOut(id)} />
    </div>
  );
}

interface ActionProps {
  label: string;
  /** What the hit is called. */
  of: string;
  icon: IconShape;
  onClick: () => void;
}

function Action({ label, of, icon, onClick }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="sm" aria-label={`${label}: ${of}`} onClick={onClick}>
        <Icon shape={icon} size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
