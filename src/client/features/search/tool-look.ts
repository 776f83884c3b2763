import classes from './tools.module.css';

/** Of the buttons above the hits: words where there is room for them. */
export const toolLook = {
  root: classes['root'] ?? '',
  section: classes['section'] ?? '',
  label: classes['label'] ?? '',
};
