import { createContext } from 'react';

/** Whether the console's frame stands around what is shown. */
export const InShell = createContext(false);
