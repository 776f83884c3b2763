import { Icon, type IconShape } from '#client/components/display/icon.tsx';
import {
  alertTriangleIcon,
  exclamationCircleIcon,
  infoCircleIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import type { AlertType } from '#shared/alert-metrics.ts';
import classes from './alert-type.module.css';

const looks: Record<AlertType, { label: string; icon: IconShape }> = {
  info: { label: 'Info', icon: infoCircleIcon },
  warning: { label: 'Warning', icon: alertTriangleIcon },
  error: { label: 'Error', icon: exclamationCircleIcon },
};

/** Info, warning or error: by its sign and its word as well as by its colour. */
export function AlertTypeSign({ type }: { type: AlertType }) {
  const { label, icon } = looks[type];
  return (
    <span className={classes['sign']} data-type={type}>
      <Icon shape={icon} size={18} />
      <span className={classes['word']}>{label}</span>
    </span>
  );
}
